import { parentPort } from 'node:worker_threads'
import { because } from '@millseal/contract/reasons'
import { openFonts } from '../fonts.ts'
import { drawDocument } from '../page/draw-document.ts'
import { PdfError } from '../request.ts'
import type { Order, Reply } from './messages.ts'

/** Renders one document after the other. */
const fonts = openFonts()

const render = async ({ request, accent }: Order): Promise<Reply> => {
  try {
    return { pdf: await drawDocument(request, { fonts, accent }) }
  } catch (error) {
    if (error instanceof PdfError) return { failure: error.failure, reason: error.reason }
    return {
      failure: 'crashed',
      reason: because('pdf_failed', { why: error instanceof Error ? error.message : String(error) }),
    }
  }
}

const send = (reply: Reply): void => {
  if ('pdf' in reply && reply.pdf.buffer instanceof ArrayBuffer)
    parentPort?.postMessage(reply, [reply.pdf.buffer])
  else parentPort?.postMessage(reply)
}

parentPort?.on('message', (order: Order) => void render(order).then(send))
