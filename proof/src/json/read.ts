import { isHeldExactly } from './number.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

export type JsonRules = {
  readonly maxDepth: number
}

/** What can be wrong. A name in braces stands for one of the values. */
export type JsonFault =
  | 'The text is empty'
  | 'The text is not valid UTF-8'
  | 'Unexpected text after the end'
  | 'Unexpected end of the text'
  | 'Unexpected character'
  | 'Expected a key in double quotes'
  | 'Expected "," or "{character}"'
  | 'Expected "{character}"'
  | 'Duplicate key {key}'
  | 'The key "__proto__" is not allowed'
  | 'Deeper than {most} levels'
  | 'Unfinished string'
  | 'Control character in a string'
  | 'Lone surrogate in a string'
  | 'The character U+0000 is not allowed'
  | 'Malformed \\u escape'
  | 'Unknown escape'
  | 'The number {number} cannot be held exactly'

type Values = Readonly<Record<string, string | number>>

/** `pointer` is the JSON pointer of the invalid value. The message has it too, with line and column as editors count them. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly fault: JsonFault
  /** Those of the fault, and the line and column. */
  readonly values: Values
  readonly pointer: string

  constructor(
    fault: JsonFault,
    { pointer, before }: { readonly pointer: string; readonly before: string },
    values: Values = {},
  ) {
    const lines = before.split('\n')
    const line = lines.length
    const column = [...(lines.at(-1) ?? '')].length + 1
    const reason = fault.replace(/\{(\w+)\}/, (_, name: string) => String(values[name]))
    super(`${reason} at line ${line}, column ${column}${pointer === '' ? '' : ` (${pointer})`}`)
    this.fault = fault
    this.values = { ...values, line, column }
    this.pointer = pointer
  }
}

/**
 * Reads JSON strictly (I-JSON, RFC 7493): valid UTF-8, no duplicate keys, no lone surrogates, no number that a
 * double would change, limited depth. Rejects what `JSON.parse` would silently change, because the hash of a
 * document must identify exactly one document.
 */
export const readJson = (bytes: Uint8Array, rules: JsonRules): JsonValue =>
  new JsonReader(bytes, rules).document()

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Decoded leniently, the first byte that is wrong becomes this character.
    const [before = ''] = new TextDecoder().decode(bytes).split('\ufffd', 1)
    throw new JsonError('The text is not valid UTF-8', { pointer: '', before })
  }
}

const quote = 0x22
const backslash = 0x5c
/** What follows a backslash, and what it stands for. */
const [escapes, escaped] = ['"\\/bfnrt', '"\\/\b\f\n\r\t']
/** Longer texts (pictures, files) are scanned by a regular expression, which is faster. */
const shortText = 64
const plainText = /[\u0020\u0021\u0023-\u005b\u005d-\uffff]*/y
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

export class JsonReader {
  protected readonly text: string
  private readonly maxDepth: number
  private readonly path: (string | number)[] = []
  protected at = 0

  constructor(bytes: Uint8Array, { maxDepth }: JsonRules) {
    this.text = decode(bytes)
    this.maxDepth = maxDepth
  }

  document(): JsonValue {
    this.space()
    if (this.at === this.text.length) throw this.error('The text is empty')
    const value = this.value()
    this.space()
    if (this.at < this.text.length) throw this.error('Unexpected text after the end')
    return value
  }

  private value(): JsonValue {
    const character = this.text[this.at]
    switch (character) {
      case '{':
        return this.object()
      case '[':
        return this.array()
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  private object(): JsonValue {
    const result: { [key: string]: JsonValue } = {}
    this.open('{')
    if (this.closes('}')) return result
    for (;;) {
      if (this.text[this.at] !== '"') throw this.error('Expected a key in double quotes')
      const key = this.string()
      if (Object.hasOwn(result, key)) throw this.error('Duplicate key {key}', { key: JSON.stringify(key) })
      this.path.push(key)
      this.space()
      this.expect(':')
      this.space()
      this.set(result, key, this.value())
      this.path.pop()
      if (this.ends('}')) return result
    }
  }

  protected set(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
    if (key !== '__proto__') target[key] = value
    else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  }

  private array(): JsonValue {
    const result: JsonValue[] = []
    this.open('[')
    if (this.closes(']')) return result
    for (;;) {
      this.path.push(result.length)
      result.push(this.value())
      this.path.pop()
      if (this.ends(']')) return result
    }
  }

  private open(bracket: string): void {
    this.expect(bracket)
    if (this.path.length >= this.maxDepth)
      throw this.error('Deeper than {most} levels', { most: this.maxDepth })
    this.space()
  }

  private closes(bracket: string): boolean {
    if (this.text[this.at] !== bracket) return false
    this.at += 1
    return true
  }

  /** After an element: true at the closing bracket, false if another element follows. */
  private ends(bracket: string): boolean {
    this.space()
    if (this.closes(bracket)) return true
    if (this.text[this.at] !== ',') throw this.error('Expected "," or "{character}"', { character: bracket })
    this.at += 1
    this.space()
    return false
  }

  protected string(): string {
    this.at += 1
    let from = this.at
    let result = ''
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code === quote) break
      if (code === backslash) {
        result += this.text.slice(from, this.at) + this.escape()
        from = this.at
      } else if (code >= 0x20) {
        this.at = this.at - from < shortText ? this.at + 1 : this.plainUntil()
      } else {
        throw this.error(this.at >= this.text.length ? 'Unfinished string' : 'Control character in a string')
      }
    }
    result += this.text.slice(from, this.at)
    this.at += 1
    if (!result.isWellFormed()) throw this.error('Lone surrogate in a string')
    return result
  }

  private plainUntil(): number {
    plainText.lastIndex = this.at
    plainText.test(this.text)
    return plainText.lastIndex
  }

  private escape(): string {
    const kind = this.text[this.at + 1]
    if (kind === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.error('Malformed \\u escape')
      this.at += 6
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    const character = kind && escaped[escapes.indexOf(kind)]
    if (character === undefined) throw this.error('Unknown escape')
    this.at += 2
    return character
  }

  protected number(): number | string {
    numberPattern.lastIndex = this.at
    const literal = numberPattern.exec(this.text)?.[0]
    if (literal === undefined) {
      throw this.error(this.at >= this.text.length ? 'Unexpected end of the text' : 'Unexpected character')
    }
    const value = Number(literal)
    if (!isHeldExactly(literal, value))
      throw this.error('The number {number} cannot be held exactly', { number: literal.slice(0, 40) })
    this.at += literal.length
    return value
  }

  private word<V>(word: string, value: V): V {
    if (!this.text.startsWith(word, this.at)) throw this.error('Unexpected character')
    this.at += word.length
    return value
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw this.error('Expected "{character}"', { character })
    this.at += 1
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at += 1
    }
  }

  protected error(fault: JsonFault, values?: Values): JsonError {
    const pointer = this.path
      .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('')
    return new JsonError(fault, { pointer, before: this.text.slice(0, this.at) }, values)
  }
}
