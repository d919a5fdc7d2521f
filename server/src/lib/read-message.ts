/** A parsed mail: just enough MIME (RFC 2045 to 2047, 2231) for the mails of this service. */
export type ReadMessage = {
  /** Lower case, in order, with repetitions. */
  readonly headerNames: readonly string[]
  header(name: string): string
  /** The addresses of To and Cc, without names. */
  readonly recipients: readonly string[]
  readonly parts: readonly ReadPart[]
}

export type ReadPart = {
  readonly type: string
  readonly filename: string | undefined
  readonly contentId: string | undefined
  readonly content: Buffer
}

type Header = { readonly name: string; readonly value: string }

export const readMessage = (raw: Buffer): ReadMessage => {
  const { headers, body } = split(raw.toString('latin1'))
  const header = (name: string): string => headers.find((found) => found.name === name)?.value ?? ''
  return {
    headerNames: headers.map(({ name }) => name),
    header: (name) => decodeWords(header(name)),
    recipients: [header('to'), header('cc')].flatMap(addressesOf),
    parts: readParts(headers, body),
  }
}

const split = (text: string): { headers: Header[]; body: string } => {
  const end = text.indexOf('\r\n\r\n')
  const unfolded = text.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const headers = unfolded.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1).trim() }
  })
  return { headers, body: text.slice(end + 4) }
}

const readParts = (headers: readonly Header[], body: string): ReadPart[] => {
  const value = (name: string): string => headers.find((found) => found.name === name)?.value ?? ''
  const contentType = value('content-type')
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (boundary !== undefined) {
    const inner = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
    return inner.flatMap((part) => {
      const { headers: partHeaders, body: partBody } = split(part.replace(/^\r\n/, ''))
      return readParts(partHeaders, partBody)
    })
  }
  const content = decodeBody(value('content-transfer-encoding').toLowerCase(), body)
  return [
    {
      type: contentType.split(';')[0] ?? '',
      filename: filenameOf(value('content-disposition')),
      contentId: /^<(.*)>$/.exec(value('content-id'))?.[1],
      content,
    },
  ]
}

const decodeBody = (encoding: string, body: string): Buffer => {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding === 'quoted-printable') return decodeQuoted(body.replaceAll('=\r\n', ''))
  return Buffer.from(body, 'latin1')
}

const decodeQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/((?:=\?utf-8\?[bq]\?[^?]*\?=)+)/gi, (words: string) =>
      Buffer.concat([...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(decodeWord)).toString('utf8'),
    )

const decodeWord = ([, encoding = '', text = '']: RegExpExecArray): Buffer =>
  encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQuoted(text.replaceAll('_', ' '))

/** RFC 2231 pieces (`filename*0*=utf-8''%E2...`) first, then a plain or quoted parameter. */
const filenameOf = (disposition: string): string | undefined => {
  const pieces = [...disposition.matchAll(/filename\*\d*\*?=("?)([^";]*)\1/g)].map(([, , text = '']) => text)
  if (pieces.length > 0) return decodeURIComponent(pieces.join('').replace(/^utf-8''/i, ''))
  const plain = /filename=("((?:[^"\\]|\\.)*)"|[^;]*)/.exec(disposition)
  return plain === null ? undefined : decodeWords((plain[2] ?? plain[1] ?? '').replaceAll(/\\(.)/g, '$1'))
}

/** All mailboxes of an address list. Handles quoted names. */
const addressesOf = (list: string): string[] => {
  const bare = list.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  return bare
    .split(',')
    .map((mailbox) => (/<([^>]*)>/.exec(mailbox)?.[1] ?? mailbox).trim())
    .filter((address) => address !== '')
}
