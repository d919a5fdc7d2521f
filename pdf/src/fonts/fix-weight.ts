/** Makes a font with one weight from one with all weights. */
export type FixWeight = (file: Uint8Array, weight: number) => Uint8Array

type Memory = { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number }

/** Browsers and Node have it, but the types of neither are loaded here. */
declare const WebAssembly: {
  readonly instantiate: (
    module: Uint8Array,
    imports: object,
  ) => Promise<{ readonly instance: { readonly exports: unknown } }>
}

/** What is used of HarfBuzz's subsetter. All numbers are addresses, or a length or a weight. */
type Exports = {
  readonly memory: Memory
  readonly _initialize: () => void
  readonly malloc: (length: number) => number
  readonly free: (address: number) => void
  readonly hb_blob_create: (
    data: number,
    length: number,
    mode: number,
    user: number,
    destroy: number,
  ) => number
  readonly hb_blob_destroy: (blob: number) => void
  readonly hb_blob_get_data: (blob: number, length: number) => number
  readonly hb_blob_get_length: (blob: number) => number
  readonly hb_face_create: (blob: number, index: number) => number
  readonly hb_face_destroy: (face: number) => void
  readonly hb_face_reference_blob: (face: number) => number
  readonly hb_subset_input_create_or_fail: () => number
  readonly hb_subset_input_destroy: (input: number) => void
  readonly hb_subset_input_keep_everything: (input: number) => void
  readonly hb_subset_input_pin_axis_location: (
    input: number,
    face: number,
    axis: number,
    value: number,
  ) => number
  readonly hb_subset_or_fail: (face: number, input: number) => number
}

const weightAxis = 0x77_67_68_74
const writable = 2

/** Opens `harfbuzz-subset.wasm` of HarfBuzz. */
export const openFixWeight = async (module: Uint8Array): Promise<FixWeight> => {
  const nothing = (): number => 0
  const opened: { harfBuzz?: Exports } = {}
  const { instance } = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: { proc_exit: nothing },
    env: {
      _emscripten_runtime_keepalive_clear: nothing,
      _abort_js: nothing,
      _setitimer_js: nothing,
      emscripten_resize_heap: (length: number) =>
        opened.harfBuzz === undefined ? 0 : grow(opened.harfBuzz.memory, length),
    },
  })
  const harfBuzz = instance.exports as Exports
  opened.harfBuzz = harfBuzz
  harfBuzz._initialize()
  return (file, weight) => fix(harfBuzz, file, weight)
}

const page = 65_536

const grow = (memory: Memory, length: number): number => {
  memory.grow(Math.ceil((length - memory.buffer.byteLength) / page))
  return 1
}

const fix = (harfBuzz: Exports, file: Uint8Array, weight: number): Uint8Array => {
  const data = harfBuzz.malloc(file.length)
  new Uint8Array(harfBuzz.memory.buffer).set(file, data)
  const blob = harfBuzz.hb_blob_create(data, file.length, writable, 0, 0)
  const face = harfBuzz.hb_face_create(blob, 0)
  const input = harfBuzz.hb_subset_input_create_or_fail()
  harfBuzz.hb_subset_input_keep_everything(input)
  harfBuzz.hb_subset_input_pin_axis_location(input, face, weightAxis, weight)
  const fixed = harfBuzz.hb_subset_or_fail(face, input)
  const bytes = fixed === 0 ? undefined : takeFile(harfBuzz, fixed)
  harfBuzz.hb_subset_input_destroy(input)
  harfBuzz.hb_face_destroy(face)
  harfBuzz.hb_blob_destroy(blob)
  harfBuzz.free(data)
  if (bytes === undefined) throw new TypeError('The weight of the font cannot be fixed')
  return bytes
}

/** The file of a face, which is destroyed. */
const takeFile = (harfBuzz: Exports, face: number): Uint8Array => {
  const blob = harfBuzz.hb_face_reference_blob(face)
  const start = harfBuzz.hb_blob_get_data(blob, 0)
  const end = start + harfBuzz.hb_blob_get_length(blob)
  const bytes = new Uint8Array(harfBuzz.memory.buffer).slice(start, end)
  harfBuzz.hb_blob_destroy(blob)
  harfBuzz.hb_face_destroy(face)
  return bytes
}
