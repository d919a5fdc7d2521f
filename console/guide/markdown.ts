import { posix } from 'node:path'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'

export type Section = { readonly id: string; readonly text: string }

export type Page = {
  readonly name: string
  readonly title: string
  readonly html: string
  /** Its headings of the second level. */
  readonly sections: readonly Section[]
  readonly anchors: ReadonlySet<string>
  /** Links to pages of the documentation, as `page#anchor`. */
  readonly links: readonly string[]
  /** Paths of pictures in the repository. */
  readonly pictures: readonly string[]
}

export type Size = { readonly width: number; readonly height: number }

export const guidePath = '/docs/guide'

const pageName = (source: string): string => posix.basename(source, '.md').toLowerCase()

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const plainText = (tokens: readonly Token[]): string =>
  tokens.map((token) => ('tokens' in token ? plainText(token.tokens ?? []) : textOf(token))).join('')

const textOf = (token: Token): string => ('text' in token ? token.text : '')

/** The anchor that GitHub gives to a heading, so that links work in both places. */
const anchorOf = (heading: string, taken: ReadonlySet<string>): string => {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  for (let count = 0; ; count += 1) {
    const unique = count === 0 ? anchor : `${anchor}-${count}`
    if (!taken.has(unique)) return unique
  }
}

const isAddress = (href: string): boolean => /^(?:https?|mailto):/.test(href)

/** The keyboard scrolls only what it can reach. */
const tableOf = (
  { header, rows }: Tokens.Table,
  { number, inline }: { readonly number: number; readonly inline: (tokens: Token[]) => string },
): string => {
  const row = (cells: readonly Tokens.TableCell[], usual: 'th' | 'td') => {
    const parts = cells.map(({ tokens, text }) => {
      // A header without words names nothing.
      const tag = text === '' ? 'td' : usual
      return `<${tag}>${inline(tokens)}</${tag}>`
    })
    return `<tr>${parts.join('')}</tr>`
  }
  return `<div class="table" role="group" aria-label="Table ${number}" tabindex="0"><table>
<thead>${row(header, 'th')}</thead>
<tbody>${rows.map((cells) => row(cells, 'td')).join('\n')}</tbody>
</table></div>\n`
}

/** Raw HTML is shown as text, except a line break, which tables cannot have otherwise. */
export const renderPage = ({
  source,
  sources,
  sizeOf,
}: {
  readonly source: string
  /** Pages in Markdown by their path in the repository. */
  readonly sources: ReadonlyMap<string, string>
  readonly sizeOf: (picture: string) => Size
}): Page => {
  const anchors = new Set<string>()
  const sections: Section[] = []
  const links: string[] = []
  const pictures: string[] = []
  const headings: string[] = []
  let tables = 0
  const resolve = (file: string): string => posix.normalize(posix.join(posix.dirname(source), file))
  /** Undefined for a file that only the source code has. */
  const addressOf = (href: string): string | undefined => {
    if (isAddress(href)) return href
    const [file = '', anchor] = href.split('#')
    const target = file === '' ? source : resolve(file)
    if (!sources.has(target)) return undefined
    const hash = anchor === undefined ? '' : `#${anchor}`
    links.push(`${pageName(target)}${hash}`)
    return `${guidePath}/${pageName(target)}${hash}`
  }
  const renderer: RendererObject = {
    html: ({ text }) => (/^<br>\s*$/.test(text) ? '<br>' : escapeHtml(text)),
    heading({ tokens, depth }: Tokens.Heading) {
      const text = plainText(tokens)
      const id = anchorOf(text, anchors)
      anchors.add(id)
      headings.push(text)
      if (depth === 2) sections.push({ id, text })
      return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens)
      const address = addressOf(href)
      if (address !== undefined) return `<a href="${escapeHtml(address)}">${text}</a>`
      return `<span class="source" title="${escapeHtml(`${resolve(href)} in the source code`)}">${text}</span>`
    },
    image({ href, text }: Tokens.Image) {
      const picture = resolve(href)
      const { width, height } = sizeOf(picture)
      pictures.push(picture)
      const address = `${guidePath}/pictures/${posix.basename(picture)}`
      return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(table: Tokens.Table) {
      tables += 1
      return tableOf(table, { number: tables, inline: (tokens) => this.parser.parseInline(tokens) })
    },
  }
  const html = new Marked({ async: false, renderer }).parse(sources.get(source) ?? '', { async: false })
  const [title = ''] = headings
  return { name: pageName(source), title, html, sections, anchors, links, pictures }
}

/** Links to pages and headings that do not exist. */
export const brokenLinks = (pages: readonly Page[]): readonly string[] => {
  const anchorsOf = new Map(pages.map(({ name, anchors }) => [name, anchors]))
  return pages.flatMap(({ name, links }) =>
    links
      .filter((link) => {
        const [page = '', anchor] = link.split('#')
        const anchors = anchorsOf.get(page)
        return anchors === undefined || (anchor !== undefined && !anchors.has(anchor))
      })
      .map((link) => `${name}: ${link}`),
  )
}
