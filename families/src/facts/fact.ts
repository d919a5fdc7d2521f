/**
 * One statement of a certificate. `of` is a name of `names.ts`, or the name that the certificate prints if it has none there;
 * `value` is the text as the file has it: `355.0` keeps its zero.
 */
export type Fact = {
  readonly of: string
  readonly value: string
  /** `<`, `<=`, `>`, `>=`, `=`. */
  readonly operator?: string | undefined
  readonly unit?: string | undefined
  /** How it was tested: `-20 °C`. */
  readonly condition?: string | undefined
  readonly heat?: string | undefined
  /** Where the specimen was taken, or what the value belongs to. */
  readonly place?: string | undefined
  /** The single values of which `value` is the mean. */
  readonly series?: readonly string[] | undefined
  /** How the certificate says that the value was calculated: `C + Mn/6`. */
  readonly formula?: string | undefined
  /** JSON pointer of the value. */
  readonly pointer: string
  /** Printed beside it. Empty if none can apply to it, as to a single value of a series. */
  readonly limits?: { readonly min?: Limit | undefined; readonly max?: Limit | undefined } | undefined
}

export type Limit = { readonly value: string; readonly operator?: string | undefined }
