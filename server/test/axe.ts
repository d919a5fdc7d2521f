import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result, RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 AA and what axe recommends beyond it. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Those of them that look at colours, the only ones whose result a theme can change. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

export type Violation = { readonly id: string; readonly html: string; readonly failureSummary?: string }

export type AxeOptions = {
  /** Rules that do not apply to a part of a page. */
  readonly without?: readonly string[]
  /** Also the rules that are no part of a standard. */
  readonly all?: boolean
  /** Only the rules about colours, for a page that was examined in another theme. */
  readonly onlyColours?: boolean
}

/** What axe finds on a page and in its frames, in the theme and width that the page has. */
export const findViolations = async (
  page: Page,
  { without = [], all = false, onlyColours = false }: AxeOptions = {},
): Promise<readonly Violation[]> => {
  await Promise.all(page.frames().map(prepare))
  const options: RunOptions = {
    ...(!all && { runOnly: { type: 'tag', values: standards } }),
    ...(onlyColours && { runOnly: { type: 'rule', values: rulesOfColours } }),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
  }
  const violations = await page.evaluate<Pick<Result, 'id' | 'nodes'>[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html, ...(failureSummary && { failureSummary }) })),
  )
}

/** Again in a frame that was just loading something else. */
const prepare = (frame: Frame): Promise<unknown> =>
  eventually(() =>
    addAxe(frame).then(
      () => true,
      (error: unknown) => {
        if (/context was destroyed/.test(String(error))) return false
        throw error
      },
    ),
  )

/** A sandboxed frame has no origin, so that axe has to accept answers of every origin. */
const addAxe = (frame: Frame): Promise<unknown> =>
  frame.evaluate(`if (typeof axe === 'undefined') {
    ${source}
    axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })
  }`)
