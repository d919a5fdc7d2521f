import { useEffect, useRef } from 'react'
import { useTexts } from '../../texts/catalog.ts'

type Policy = { readonly createHTML: (html: string) => string }
type Factory = {
  readonly createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy
}

const factory = (globalThis as { readonly trustedTypes?: Factory }).trustedTypes
const policy = factory?.createPolicy('millseal-preview', { createHTML: (html) => html })

/** The document is parsed without a window, so nothing in it can run; then only what a page needs is taken over. */
const parse = (html: string): Document =>
  new DOMParser().parseFromString(policy === undefined ? html : policy.createHTML(html), 'text/html')

const styles = /<style>([^<]*)<\/style>/

const forbidden = 'script, style, link, meta, base, iframe, object, embed, form, input, button, svg, title'

const clean = (page: Document): void => {
  for (const element of page.body.querySelectorAll(forbidden)) element.remove()
  for (const element of page.body.querySelectorAll('*'))
    for (const { name, value } of element.attributes)
      if (name === 'style' || name.startsWith('on') || (name === 'href' && !/^https?:/.test(value)))
        element.removeAttribute(name)
}

/** The headings and the main part of a page that is a part of another. */
const within = (page: Document): void => {
  for (const heading of page.body.querySelectorAll('h1, h2, h3')) {
    heading.setAttribute('role', 'heading')
    heading.setAttribute('aria-level', heading.tagName === 'H1' ? '3' : '4')
  }
  for (const main of page.body.querySelectorAll('main')) {
    const part = page.createElement('div')
    part.className = main.className
    part.append(...main.childNodes)
    main.replaceWith(part)
  }
}

/** The style sheet of the page for a shadow root. Paper is white in the dark, too. */
const sheetOf = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    css
      .replaceAll(':root', ':host')
      .replaceAll(
        /(^|[\s}{])(html|body)\{/g,
        (_all, before: string, name: string) => `${before}${name === 'html' ? ':host' : '.body'}{`,
      ),
  )
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1) {
    const rule = sheet.cssRules[at]
    if (rule instanceof CSSMediaRule && /print|dark/.test(rule.conditionText)) sheet.deleteRule(at)
  }
  return sheet
}

const frame = new CSSStyleSheet()
frame.replaceSync(`
:host{display:block;background:#fff;color-scheme:light;overflow:hidden}
.page{margin:0;max-width:none;box-shadow:none;padding:2rem}
.test{position:absolute}
@media (min-width:1000px){.body{zoom:var(--zoom,1);width:46rem}}
`)

const pageWidth = 736

/** The page as the customer will see it. The last good one stays until there is another. */
export const Preview = ({ html, language }: { readonly html: string; readonly language: string }) => {
  const t = useTexts('form')
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined)
        element.style.setProperty('--zoom', String(Math.min(1.4, entry.contentRect.width / pageWidth)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    // The policy of this page would refuse a style element, even in a document that is never shown.
    const [, css = ''] = styles.exec(html) ?? []
    const page = parse(html.replace(styles, ''))
    const sheet = sheetOf(css)
    clean(page)
    within(page)
    const body = document.createElement('div')
    body.className = 'body'
    body.append(...page.body.childNodes)
    root.adoptedStyleSheets = [sheet, frame]
    root.replaceChildren(body)
  }, [html])
  return (
    <div ref={host} className="form-page" lang={language} role="region" aria-label={t.page} tabIndex={0} />
  )
}
