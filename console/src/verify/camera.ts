import { h } from './dom.ts'

/** The part of the Shape Detection API that the page needs. Not every browser has it. */
type Detecting = {
  new (options: {
    readonly formats: readonly string[]
  }): {
    detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
  }
}

export const barcodeDetector = (): Detecting | undefined =>
  (globalThis as { readonly BarcodeDetector?: Detecting }).BarcodeDetector

const everyMs = 200

/** Shows the camera in `place` until it sees a QR code, or until `signal` ends it. */
export const scan = async (
  Detector: Detecting,
  { place, signal }: { readonly place: HTMLElement; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const video = h('video', { playsinline: true })
  try {
    video.muted = true
    video.srcObject = stream
    place.replaceChildren(video)
    await video.play()
    const detector = new Detector({ formats: ['qr_code'] })
    while (!signal.aborted) {
      const [code] = await detector.detect(video)
      if (code !== undefined) return code.rawValue
      await new Promise((done) => setTimeout(done, everyMs))
    }
    return undefined
  } finally {
    for (const track of stream.getTracks()) track.stop()
    place.replaceChildren()
  }
}

/** The code or the hash in the address that a QR code contains. */
export const addressIn = (
  text: string,
):
  | { readonly host: string; readonly code: string | undefined; readonly hash: string | undefined }
  | undefined => {
  if (!URL.canParse(text)) return undefined
  const { host, pathname, hash } = new URL(text)
  const code = /\/v\/([\w-]{22})\/?$/.exec(pathname)?.[1]
  const inFragment = /^#([\da-f]{64})$/i.exec(hash)?.[1]?.toLowerCase()
  return code === undefined && inFragment === undefined ? undefined : { host, code, hash: inFragment }
}
