import { useEffect, useRef } from 'react'

/** The page's policy allows this one way to markup. It is parsed without running anything. */
const trusted = (
  window as typeof window & {
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createHTML(text: string): string },
      ): {
        createHTML(text: string): string
      }
    }
  }
).trustedTypes?.createPolicy('millseal-preview', { createHTML: (text) => text })

const parse = (html: string): Document =>
  new DOMParser().parseFromString(trusted?.createHTML(html) ?? html, 'text/html')

/** In a shadow tree the root of the page is an element among others. */
const toSheet = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css.replaceAll(':root', 'html'))
  return sheet
}

const draw = (shadow: ShadowRoot, html: string): void => {
  const page = parse(html)
  const sheets = [...page.querySelectorAll('style')].map(({ textContent }) => toSheet(textContent))
  page.head.remove()
  for (const script of page.querySelectorAll('script, style')) script.remove()
  shadow.adoptedStyleSheets = sheets
  shadow.replaceChildren(document.importNode(page.documentElement, true))
}

/** A certificate as the customer sees it. Its styles stay inside, and nothing in it runs. */
export const Paper = ({ html, label }: { readonly html: string; readonly label: string }) => {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    draw(host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }), html)
  }, [html])
  return <div className="paper" ref={host} role="region" aria-label={label} tabIndex={0} />
}
