#compdef heed

_heed_completion() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _HEED_COMPLETE=complete_zsh heed)
}

compdef _heed_completion heed
