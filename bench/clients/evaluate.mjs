// Evaluates what arrives on standard input, one JSON line each, with the packages of the working directory: the
// counterpart of evaluate.py for Node. `load` imports a package; `start` returns the names that later calls may use.
// It is given to node as text, since a file would find the packages that lie beside it.
import { createInterface } from 'node:readline';

const names = { load: (name) => import(name) };
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // what a client prints
process.on('unhandledRejection', () => {});

function plain(key, value) {
  if (value?.type === 'Buffer') return Buffer.from(value.data).toString('latin1');
  return value instanceof Set || value instanceof Map ? [...value] : value;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    Object.assign(names, request.names);
    const body = request.start ?? `return (${request.code ?? 'null'})`;
    const value = await new AsyncFunction(...Object.keys(names), body)(...Object.values(names));
    if (request.start) Object.assign(names, value);
    answer = JSON.stringify({ value: request.start ? null : value ?? null }, plain);
  } catch (error) {
    answer = JSON.stringify({ error: String(error?.message ?? error) });
  }
  write(`${answer}\n`);
}
