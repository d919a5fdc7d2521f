import { brotliCompressSync, constants } from 'node:zlib'

/** Those of the modes are few; those of codes are as many as papers. */
const mostPages = 100

/** Quick, because anybody can ask for the page of another code. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/** Compresses a page once as long as it is among the last ones asked for: another key or mode is another page. */
export const createCompressedPages = (): ((html: string) => Buffer) => {
  const pages = new Map<string, Buffer>()
  return (html) => {
    const page = pages.get(html) ?? brotliCompressSync(html, { params })
    pages.delete(html)
    pages.set(html, page)
    const [oldest] = pages.keys()
    if (pages.size > mostPages && oldest !== undefined) pages.delete(oldest)
    return page
  }
}
