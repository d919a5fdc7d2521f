import { createHash, createHmac } from 'node:crypto'

export type SigningKey = { readonly id: string; readonly secret: string; readonly region: string }

export type Signable = {
  readonly method: string
  readonly url: URL
  /** All of them are signed. Names in lower case; `host` comes from the URL. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * The headers of a request that is signed with AWS Signature Version 4. Paths and headers must have no character that would
 * need to be escaped or folded: names of files have none.
 */
export const signed = (request: Signable, key: SigningKey, at: Date): Readonly<Record<string, string>> => {
  const { method, url, body } = request
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const headers = { ...request.headers, 'x-amz-content-sha256': sha256(body), 'x-amz-date': time }
  const all = Object.entries({ ...headers, host: url.host }).toSorted(byName)
  const names = all.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...all.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${key.region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const derived = scope
    .split('/')
    .reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${key.secret}`)
  const signature = hmac(derived, text).toString('hex')
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/${scope},SignedHeaders=${names},Signature=${signature}`,
  }
}

/** Sorted and escaped as a signature needs it. */
export const queryOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .toSorted(byName)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .join('&')

const escaped = (value: string): string =>
  encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const byName = ([one]: [string, string], [other]: [string, string]): number => (one < other ? -1 : 1)
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
