import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, shellBlocksOf } from './commands-in-docs.ts'
import { deployPage, type Walk } from './walks.ts'

const root = join(import.meta.dirname, '../../..')

/** The commands of a step, in order, and what is done after the last. */
export type Stage = Pick<Block, 'page' | 'section' | 'line' | 'commands'> & { readonly afterwards?: string }

const readPage = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The sections of a part of docs/deploy.md. */
const sectionsIn = (page: string, part: string): readonly string[] => {
  const [, rest = ''] = page.split(`\n## ${part}\n`)
  const [text = ''] = rest.split('\n## ')
  return [...text.matchAll(/^### (.*)$/gm)].map(([, section = '']) => section)
}

/** The commands of the pages, in order. Fails if the pages have others. */
export const readWalk = async (
  { part, steps }: Walk,
  read: typeof readPage = readPage,
): Promise<readonly Stage[]> => {
  const pages = new Map<string, readonly Block[]>()
  for (const page of new Set([deployPage, ...steps.map((step) => step.page)]))
    pages.set(page, shellBlocksOf(page, await read(page)))
  const sections = sectionsIn(await read(deployPage), part)
  const known = steps.flatMap(({ section }) => section ?? [])
  const forgotten = pages
    .get(deployPage)
    ?.find(({ section }) => sections.includes(section) && !known.includes(section))
  if (forgotten !== undefined)
    throw new Error(`${deployPage}: nobody follows the commands of ${forgotten.section}`)
  return steps.flatMap(({ page, section, afterwards }) => {
    const found = (pages.get(page) ?? []).filter(
      (block) => section === undefined || block.section === section,
    )
    if (found.length === 0) throw new Error(`${page} has no commands in ${section ?? 'any section'}`)
    return found.map((block, index) =>
      afterwards === undefined || index < found.length - 1 ? block : { ...block, afterwards },
    )
  })
}

/** One script that prints each block before it runs it, so that the log says what was run. */
export const scriptOfWalk = (stages: readonly Stage[]): string =>
  [
    'set -eu -o pipefail',
    `trap 'echo "failed: $block" >&2' ERR`,
    ...stages.flatMap(({ page, line, section, commands, afterwards }) => [
      `block='${page}:${line}'`,
      `echo "as on the page: $block (${section.replaceAll('`', '')})"`,
      commands,
      ...(afterwards === undefined
        ? []
        : [`block='after ${page}:${line}'`, `echo "$block"`, `(${afterwards})`]),
    ]),
  ].join('\n')
