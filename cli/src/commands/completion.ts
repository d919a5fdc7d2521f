import { type Command, command } from '../frame/command.ts'
import { type Commands, wordsAfter } from '../frame/dispatch.ts'
import { UsageError } from '../frame/usage-error.ts'

/** Each asks the command itself for words and their descriptions, separated by a tab. Files are left to the shell. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_millseal() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(millseal completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _millseal millseal
`,
  zsh: `#compdef millseal
_millseal() {
  local -a found
  found=("\${(@f)$(millseal completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)\${(@)found//:/\\\\:}//$'\\t'/:}")
  [[ -n "\${found[1]}" ]] && _describe millseal found
  _files
}
compdef _millseal millseal
`,
  fish: `complete -c millseal -a '(millseal completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

const print = command({
  args: ['shell'],
  description: `Prints what teaches bash, zsh or fish to complete commands, options and their values when you press Tab. Load it at the start of the shell. It asks for the words of the command "millseal", so that must be an alias or on the PATH.`,
  examples: [
    'source <(millseal completion bash)',
    'source <(millseal completion zsh)',
    'millseal completion fish | source',
  ],
  run: ({ args: [shell = ''] }) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined)
      throw new UsageError(`<shell> must be ${Object.keys(scripts).join(' or ')}, not ${shell}`)
    return Promise.resolve({ result: { shell, script }, text: script.trimEnd() })
  },
})

export const completion = (commands: Commands): Command => ({
  ...print,
  words: () => Object.keys(scripts),
  async run(name, given, environment) {
    const [first, , ...typed] = given
    if (first !== 'words') return print.run(name, given, environment)
    process.stdout.write((await wordsAfter(commands, typed)).map((word) => `${word}\n`).join(''))
    return 0
  },
})
