import { runTool, writePdf } from './tools.ts'

/** A value as `qpdf --json` shows it: names begin with `/`, text with `u:`, bytes with `b:`, references end with ` R`. */
export type Shown = string | number | boolean | null | readonly Shown[] | { readonly [key: string]: Shown }
export type ShownDictionary = { readonly [key: string]: Shown }

type ShownObject = {
  readonly value?: Shown
  readonly stream?: { readonly dict: ShownDictionary; readonly data: string }
}

/** The objects of a PDF by their reference, as qpdf reads them. Streams are decompressed. */
export type ShownFile = {
  readonly trailer: ShownDictionary
  readonly valueOf: (reference: Shown | undefined) => Shown | undefined
  /** A dictionary, given itself or by its reference. */
  readonly dictionaryOf: (given: Shown | undefined) => ShownDictionary
  readonly streamOf: (reference: Shown | undefined) => {
    readonly dict: ShownDictionary
    readonly bytes: Buffer
  }
}

/** Throws if qpdf finds an error in the file. */
export const readWithQpdf = async (pdf: Uint8Array): Promise<ShownFile> => {
  await using file = await writePdf(pdf)
  await runTool('qpdf', ['--check', file.path])
  const json = await runTool('qpdf', ['--json', '--json-stream-data=inline', '--decode-level=all', file.path])
  const { qpdf } = JSON.parse(json) as { readonly qpdf: readonly [unknown, Record<string, ShownObject>] }
  const [, objects] = qpdf
  const objectAt = (reference: Shown | undefined): ShownObject =>
    (typeof reference === 'string' ? objects[`obj:${reference}`] : undefined) ?? {}
  return {
    trailer: objects['trailer']?.value as ShownDictionary,
    valueOf: (reference) => objectAt(reference).value,
    dictionaryOf: (given) => (typeof given === 'object' ? given : objectAt(given).value) as ShownDictionary,
    streamOf: (reference) => {
      const { dict = {}, data = '' } = objectAt(reference).stream ?? {}
      return { dict, bytes: Buffer.from(data, 'base64') }
    },
  }
}
