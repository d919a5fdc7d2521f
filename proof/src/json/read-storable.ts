import { JsonReader, type JsonRules, type JsonValue } from './read.ts'

export type StorableRules = JsonRules & {
  /** Return numbers as the original text, for display: `1.10` must not become `1.1`. */
  readonly numbersAsText?: boolean
  /** Called for each number that is not written as JavaScript writes it: `1.10`, `1e3`. */
  readonly onOtherNumber?: () => void
}

/** Also rejects what is unsafe in a text column or an object: U+0000 and the key `__proto__`. */
export const readStorableJson = (bytes: Uint8Array, rules: StorableRules): JsonValue =>
  new StorableReader(bytes, rules).document()

class StorableReader extends JsonReader {
  private readonly numbers: StorableRules

  constructor(bytes: Uint8Array, rules: StorableRules) {
    super(bytes, rules)
    this.numbers = rules
  }

  protected override set(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
    if (key === '__proto__') throw this.error('The key "__proto__" is not allowed')
    super.set(target, key, value)
  }

  protected override string(): string {
    const text = super.string()
    if (text.includes('\u0000')) throw this.error('The character U+0000 is not allowed')
    return text
  }

  protected override number(): number | string {
    const from = this.at
    const value = super.number()
    const literal = this.text.slice(from, this.at)
    if (String(value) !== literal) this.numbers.onOtherNumber?.()
    return this.numbers.numbersAsText === true ? literal : value
  }
}
