import { useEffect, useRef } from 'react'

type Policy = { readonly createHTML: (html: string) => string }
/** The policy of the page allows only this way to markup, which is parsed without running anything. */
const policy = (
  globalThis as {
    readonly trustedTypes?: {
      readonly createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy
    }
  }
).trustedTypes?.createPolicy('millseal-preview', { createHTML: (html) => html })

const parse = (html: string): Document =>
  new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html')

const style = /<style>(.*?)<\/style>/gs
const forbidden = 'script, link, meta, base, iframe, object, embed, form, input, button, title'

const isWebLink = (element: Element): boolean => /^https?:/.test(element.getAttribute('href') ?? '')

const clean = (body: HTMLElement): void => {
  for (const element of body.querySelectorAll(forbidden)) element.remove()
  for (const element of body.querySelectorAll('*'))
    for (const name of element.getAttributeNames())
      if (name === 'style' || name.startsWith('on') || (name === 'href' && !isWebLink(element)))
        element.removeAttribute(name)
}

/** A page within a page has no main part of its own, and its headings are below those of the screen. */
const embed = (body: HTMLElement): void => {
  for (const heading of body.querySelectorAll('h1, h2, h3')) {
    heading.setAttribute('role', 'heading')
    heading.setAttribute('aria-level', heading.tagName === 'H1' ? '2' : '3')
  }
  for (const main of body.querySelectorAll('main')) {
    const part = document.createElement('div')
    part.className = main.className
    part.append(...main.childNodes)
    main.replaceWith(part)
  }
  // The mark of a test is a pale watermark: a picture, not a text to read.
  for (const mark of body.querySelectorAll('.test')) {
    mark.setAttribute('data-mark', mark.textContent)
    mark.replaceChildren()
  }
}

/** A shadow tree has its own root and body. Paper is white in dark mode, too. */
const toSheet = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    css
      .replaceAll(':root', ':host')
      .replaceAll(/(^|[\s}])(html|body)\{/g, (_all, before: string, name) =>
        name === 'html' ? `${before}:host{` : `${before}.body{`,
      ),
  )
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1) {
    const rule = sheet.cssRules[at]
    if (rule instanceof CSSMediaRule && /print|dark/.test(rule.conditionText)) sheet.deleteRule(at)
  }
  return sheet
}

/** The width of a sheet of paper, which is scaled to the available space. */
const pageWidth = 736
/** Mails name no colour, and the colour of the screen is light in dark mode. */
const ink = new CSSStyleSheet()
ink.replaceSync(':host{color:#1a2433}')
const frame = new CSSStyleSheet()
frame.replaceSync(`
:host{display:block;background:#fff;color-scheme:light;overflow:auto}
.body{position:relative;zoom:var(--zoom,1);width:${pageWidth}px;overflow:clip}
.page{margin:0;max-width:none;box-shadow:none;padding:2rem}
.test{position:absolute}
.test::before{content:attr(data-mark)}
`)

const draw = (host: HTMLElement, html: string): void => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // The policy refuses styles even if they are only parsed.
  const sheet = toSheet([...html.matchAll(style)].map(([, css = '']) => css).join('\n'))
  const page = parse(
    html.replaceAll(style, '').replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/\sstyle="[^"]*"/g, '')),
  )
  clean(page.body)
  embed(page.body)
  const body = document.createElement('div')
  body.className = 'body'
  body.append(...page.body.childNodes)
  root.adoptedStyleSheets = [ink, sheet, frame]
  root.replaceChildren(body)
}

const fit = (host: HTMLElement): (() => void) => {
  const observer = new ResizeObserver(([entry]) => {
    if (entry !== undefined)
      host.style.setProperty('--zoom', String(Math.min(1.4, entry.contentRect.width / pageWidth)))
  })
  observer.observe(host)
  return () => observer.disconnect()
}

/** A certificate as the customer sees it. Its styles stay inside, and nothing in it runs. */
export const Paper = ({
  html,
  label,
  language,
}: {
  readonly html: string
  readonly label: string
  readonly language?: string
}) => {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current === null ? undefined : fit(host.current)), [])
  useEffect(() => {
    if (host.current !== null) draw(host.current, html)
  }, [html])
  return <div className="paper" ref={host} lang={language} role="region" aria-label={label} tabIndex={0} />
}
