export type Block = {
  readonly page: string
  readonly line: number
  /** The heading above it. */
  readonly section: string
  readonly commands: string
  /** Why it is not executed. */
  readonly notExecuted?: string
}

const marker = /^\s*<!-- not executed: (?<reason>.+) -->$/

/** The shell blocks of a page, in order. A comment right above one says why it is not executed. */
export const shellBlocksOf = (page: string, text: string): readonly Block[] => {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let section = ''
  for (const [index, line] of lines.entries()) {
    section = /^#+ (.*)$/.exec(line)?.[1] ?? section
    if (line.trim() !== '```sh') continue
    const indent = line.slice(0, line.indexOf('`'))
    const end = lines.indexOf(`${indent}\`\`\``, index + 1)
    if (end === -1) throw new Error(`${page}:${index + 1}: the code block has no end`)
    const reason = marker.exec(lines[index - 1] ?? '')?.groups?.['reason']
    blocks.push({
      page,
      line: index + 1,
      section,
      commands: lines
        .slice(index + 1, end)
        .map((command) => (command.startsWith(indent) ? command.slice(indent.length) : command))
        .join('\n'),
      notExecuted: reason,
    })
  }
  return blocks
}

/** Joins the blocks into one script, which names the block in which a command fails. */
export const scriptOf = (blocks: readonly Block[]): string =>
  [
    'set -eu -o pipefail',
    `trap 'echo "stopped in $block" >&2' ERR`,
    ...blocks.flatMap(({ page, line, commands }) => [`block='${page}:${line}'`, commands]),
  ].join('\n')
