import { contents } from './contents.ts'
import { escapeHtml, guidePath, type Page } from './markdown.ts'

export type Frame = {
  readonly pages: readonly Page[]
  /** The address of the style sheet. */
  readonly style: string
}

/** A complete page, which needs no script. */
export const pageInFrame = (page: Page, frame: Frame): string =>
  inFrame({ ...frame, title: page.title, current: page, main: page.html })

/** The page that leads to all others. */
export const indexPage = (frame: Frame): string => {
  const groups = Object.entries(contents).map(
    ([group, names]) =>
      `<section><h2>${escapeHtml(group)}</h2>\n<ul>${names.map((name) => `<li>${linkTo(pageOf(frame, name))}</li>`).join('\n')}</ul></section>`,
  )
  const main = `<h1>Documentation</h1>
<p>These pages describe the version that this server runs. The <a href="/docs/api">API reference</a> lists all operations.</p>
<div class="groups">${groups.join('\n')}</div>`
  return inFrame({ ...frame, title: 'Documentation', current: undefined, main })
}

const pageOf = ({ pages }: Frame, name: string): Page => {
  const page = pages.find((one) => one.name === name)
  if (page === undefined) throw new Error(`docs/ has no page ${name}: correct console/guide/contents.ts`)
  return page
}

/** What follows a colon in a title only describes it. */
const linkTo = ({ name, title }: Page, isCurrent = false): string =>
  `<a href="${guidePath}/${name}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title.split(': ', 1)[0] ?? '')}</a>`

const inFrame = ({
  title,
  current,
  main,
  ...frame
}: Frame & {
  readonly title: string
  readonly current: Page | undefined
  readonly main: string
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Millseal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${escapeHtml(frame.style)}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24">Millseal</a>
<nav aria-label="Millseal"><a href="${guidePath}">Documentation</a><a href="/docs/api">API reference</a></nav>
<button popovertarget="pages">All pages</button>
</header>
<nav id="pages" popover aria-label="Pages of the documentation">
${navigation(frame, current)}
</nav>
<main id="content" tabindex="-1">
${main}
</main>
</body>
</html>
`

const navigation = (frame: Frame, current: Page | undefined): string =>
  Object.entries(contents)
    .map(([group, names], index) => {
      const lines = names.map((name) => {
        const page = pageOf(frame, name)
        return `<li>${linkTo(page, page === current)}${page === current ? sectionsOf(page) : ''}</li>`
      })
      return `<p id="group-${index}">${escapeHtml(group)}</p>\n<ul aria-labelledby="group-${index}">${lines.join('\n')}</ul>`
    })
    .join('\n')

/** Tables of facts have hundreds of headings, which nobody reads beside them. */
const mostSections = 40

const sectionsOf = ({ sections }: Page): string =>
  sections.length === 0 || sections.length > mostSections
    ? ''
    : `\n<ul>${sections.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`).join('\n')}</ul>`
