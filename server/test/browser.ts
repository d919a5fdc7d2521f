type Cookie = {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
  /** As the server sent it. */
  readonly line: string
}

export type Page = {
  readonly status: number
  /** The final address. */
  readonly url: URL
  readonly text: string
  readonly headers: Headers
  /** Every address of the redirects, including the last one. */
  readonly trail: readonly string[]
}

export type BrowserOptions = {
  /** What a load balancer does with an address. */
  readonly route?: (url: URL) => URL
}

/** The parts of a browser that a sign-in needs: cookies by path, redirects, forms, and the origin of a request. */
export interface Browser {
  readonly cookies: readonly Cookie[]
  /** As typed into the address bar. */
  open(address: string, options?: { stopAt?: (url: URL) => boolean }): Promise<Page>
  /** Fills in the form of a page and sends it. */
  submit(
    page: Page,
    fields: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
    options?: { stopAt?: (url: URL) => boolean },
  ): Promise<Page>
  /** As a script of our own page does it. */
  call(address: string, init?: { method?: string; headers?: Record<string, string> }): Promise<Response>
}

const maxRedirects = 15

export const openBrowser = ({ route = (url) => url }: BrowserOptions = {}): Browser => {
  const jar = new Map<string, Cookie>()
  const cookiesFor = (url: URL) =>
    [...jar.values()].filter(
      ({ host, path }) =>
        host === url.hostname && (url.pathname === path || url.pathname.startsWith(slashed(path))),
    )
  const keep = (response: Response, url: URL) => {
    for (const line of response.headers.getSetCookie()) {
      const { cookie, isGone } = readCookie(line, url)
      const key = [cookie.host, cookie.path, cookie.name].join(' ')
      if (isGone) jar.delete(key)
      else jar.set(key, cookie)
    }
  }
  const send = async (url: URL, init: RequestInit & { headers: Record<string, string> }) => {
    const cookie = cookiesFor(url)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const response = await fetch(route(url), {
      ...init,
      headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }) },
      redirect: 'manual',
    })
    keep(response, url)
    return response
  }
  const follow = async (first: URL, init: RequestInit, stopAt: (url: URL) => boolean): Promise<Page> => {
    const trail = [first.href]
    let url = first
    let response = await send(url, { ...init, headers: { accept: 'text/html', ...init.headers } as never })
    for (let hops = 0; hops < maxRedirects; hops += 1) {
      const location = response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399) break
      url = new URL(location, url)
      trail.push(url.href)
      if (stopAt(url)) break
      response = await send(url, { headers: { accept: 'text/html' } })
    }
    return { status: response.status, url, text: await response.text(), headers: response.headers, trail }
  }

  return {
    get cookies() {
      return [...jar.values()]
    },
    open: (address, { stopAt = () => false } = {}) => follow(new URL(address), {}, stopAt),
    submit(page, fields, headers = {}, { stopAt = () => false } = {}) {
      const { action, hidden } = readForm(page)
      return follow(
        action,
        {
          method: 'POST',
          body: new URLSearchParams({ ...hidden, ...fields }),
          headers: { origin: page.url.origin, 'sec-fetch-site': 'same-origin', ...headers },
        },
        stopAt,
      )
    },
    call: (address, { method = 'GET', headers = {} } = {}) => send(new URL(address), { method, headers }),
  }
}

const slashed = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

const readCookie = (line: string, url: URL): { cookie: Cookie; isGone: boolean } => {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const at = pair.indexOf('=')
  const valueOf = (name: string) =>
    attributes.find((each) => each.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)
  const expires = valueOf('expires')
  return {
    cookie: {
      name: pair.slice(0, at),
      value: pair.slice(at + 1),
      host: url.hostname,
      path: valueOf('path') ?? url.pathname,
      line,
    },
    isGone: valueOf('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now()),
  }
}

/** The first form of a page, including its hidden fields. */
export const readForm = (page: Page): { action: URL; hidden: Record<string, string> } => {
  const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]
  if (action === undefined)
    throw new Error(`There is no form on ${page.url.href}: ${page.status} ${page.text}`)
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(page.text) ?? []
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return {
    action: new URL(action, page.url),
    hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
  }
}

/** The headers that a script of the console sends with every call. */
export const consoleHeaders = { 'x-millseal-console': '1', 'sec-fetch-site': 'same-origin' } as const

/** Signs in like a person: with the link of the console, the password and, if required, a code. */
export const signInBy = async (
  browser: Browser,
  server: { readonly url: string },
  given: { login: string; password: string; code?: () => string; query?: string },
): Promise<Page> => {
  const page = await browser.open(`${server.url}/auth/login?${given.query ?? 'return_to=/welcome'}`)
  const next = await browser.submit(page, { login: given.login, password: given.password })
  return given.code === undefined ? next : browser.submit(next, { code: given.code() })
}
