import { readFile } from 'node:fs/promises'
import type { Identity } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import type { Download, Locator, Page } from 'playwright-core'
import { sampleCertificate } from './certificates.ts'
import { newOwner, type Owner } from './machines.ts'
import { endedNotarization, newIdentity } from './signers.ts'
import type { TestServer } from './test-server.ts'

export type Sample = {
  readonly number: string
  readonly heat?: string
  /** The VAT id of the company that receives it. */
  readonly receiver?: string
}

export const certificateText = ({ number, heat = '175508', receiver }: Sample): string => {
  const sample = sampleCertificate({
    number,
    ...(receiver !== undefined && { receiver: { vatId: receiver } }),
  })
  sample.Certificate.ProductDescription.B07 = heat
  return JSON.stringify(sample)
}

/** A company with a public identity, ready for test mode. */
export type Mill = Owner & {
  readonly client: Client
  readonly identity: Identity
  /** Returns the id of the certificate when it is on the ledger. */
  readonly notarize: (sample: Sample) => Promise<string>
}

export const openMill = async (server: TestServer, username: string): Promise<Mill> => {
  const owner = await newOwner(server, username)
  const client = server.client(owner.admin.accessToken)
  const company = owner.company.id
  const identity = await newIdentity(client, company)
  await client.notarizeIdentity({ company, query: { mode: 'test' }, params: { identityId: identity.id } })
  return {
    ...owner,
    client,
    identity,
    notarize: async (sample) => {
      const { jobId } = await client.notarizeCertificate({
        company,
        query: { mode: 'test', identity: identity.id },
        document: new Blob([certificateText(sample)], { type: 'application/json' }),
      })
      const { id } = await endedNotarization(client, { company, jobId })
      return id
    },
  }
}

export type NamedFile = { readonly name: string; readonly text: string }

/** What a browser does when somebody drops files on the page. */
export const drop = (page: Page, files: readonly NamedFile[]): Promise<void> =>
  dropBytes(
    page,
    files.map(({ name, text }) => ({ name, bytes: Buffer.from(text), type: 'application/json' })),
  )

type DroppedFile = { readonly name: string; readonly type: string; readonly bytes: Buffer }

export const dropBytes = async (page: Page, files: readonly DroppedFile[]): Promise<void> => {
  const encoded = files.map((file) => ({ ...file, bytes: file.bytes.toString('base64') }))
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    for (const { name, type, bytes } of ${JSON.stringify(encoded)}) {
      const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
      dataTransfer.items.add(new File([content], name, { type }))
    }
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }`)
}

export const upload = (page: Page, files: readonly NamedFile[]): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })),
    )

export const savedBytes = async (download: Download): Promise<Buffer> => readFile(await download.path())

/** The title of a screen. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name })

type Scrolled = {
  /** Where no row is drawn. */
  readonly blank: number | null
  /** The number of the last row in the window. */
  readonly last: number
}

/** Scrolls a list by some windows, waits until it is drawn, and looks for a place without a row. */
export const scrollOn = (page: Page): Promise<Scrolled> => page.evaluate<Scrolled>(scrolling)

const scrolling = `(async () => {
  const body = document.querySelector('.rows')
  window.scrollBy(0, window.innerHeight * 8)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  const rows = [...body.children].map((row) => [row.getBoundingClientRect(), Number(row.getAttribute('aria-rowindex'))])
  const { top, bottom } = body.getBoundingClientRect()
  let last = 0
  for (let y = Math.max(0, top) + 5; y < Math.min(window.innerHeight, bottom) - 5; y += 10) {
    const row = rows.find(([place]) => place.top <= y && place.bottom >= y)
    if (row === undefined) return { blank: y, last }
    last = row[1] - 1
  }
  return { blank: null, last }
})()`
