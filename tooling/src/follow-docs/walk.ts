import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, shellBlocksOf } from '../commands-in-docs.ts'

const root = join(import.meta.dirname, '../../..')
const deploy = 'docs/deploy.md'
const rabbitMq = 'deploy/rabbitmq/README.md'

/** Sections in the order in which docs/deploy.md tells an operator to follow them; without a section, the whole page. */
const order: readonly { readonly page: string; readonly section?: string }[] = [
  { page: deploy, section: 'Packages' },
  { page: deploy, section: 'One process' },
  { page: deploy, section: 'Database' },
  { page: deploy, section: 'Certificate' },
  { page: rabbitMq },
  { page: deploy, section: 'Settings' },
  { page: deploy, section: 'Processes' },
  { page: deploy, section: 'Proxy' },
  { page: deploy, section: 'First operator' },
  { page: deploy, section: 'Try it' },
]

const readPage = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The sections of docs/deploy.md about an installation on Debian. */
const sectionsIn = (page: string): readonly string[] => {
  const [, rest = ''] = page.split('\n## Install it on Debian\n')
  const [part = ''] = rest.split('\n## ')
  return [...part.matchAll(/^### (.*)$/gm)].map(([, section = '']) => section)
}

/** The commands of the pages, in order. Fails if the pages have others. */
export const readWalk = async (read: typeof readPage = readPage): Promise<readonly Block[]> => {
  const text = await read(deploy)
  const sections = sectionsIn(text)
  const known = order.flatMap(({ section }) => section ?? [])
  const blocks = [...shellBlocksOf(deploy, text), ...shellBlocksOf(rabbitMq, await read(rabbitMq))]
  const forgotten = blocks.find(
    ({ page, section }) => page === deploy && sections.includes(section) && !known.includes(section),
  )
  if (forgotten !== undefined)
    throw new Error(`${deploy}: nobody follows the commands of ${forgotten.section}`)
  return order.flatMap(({ page, section }) => {
    const found = blocks.filter(
      (block) => block.page === page && (section === undefined || block.section === section),
    )
    if (found.length === 0) throw new Error(`${page} has no commands in ${section ?? 'any section'}`)
    return found
  })
}

/** One script that prints each block before it runs it, so that the log says what was run. */
export const scriptOfWalk = (blocks: readonly Block[]): string =>
  [
    'set -eu -o pipefail',
    `trap 'echo "failed: $block" >&2' ERR`,
    ...blocks.flatMap(({ page, line, section, commands }) => [
      `block='${page}:${line}'`,
      `echo "as on the page: $block (${section.replaceAll('`', '')})"`,
      commands,
    ]),
  ].join('\n')
