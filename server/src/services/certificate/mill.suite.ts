import { createPdfRenderer, type PdfRenderer } from '@millseal/families'
import { type CertificateProcess, openCertificateProcess } from '../../../test/certificate-service.ts'
import { newOwner, type Owner } from '../../../test/machines.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'

export type OpenedMill = CertificateProcess & { readonly server: TestServer; readonly mill: Owner }

/** A server with one issuer, and what certificate-service has in another process of this server. */
export const openMill = async (
  username: string,
  wanted: { readonly vatId?: string } = {},
): Promise<OpenedMill> => {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startOwnServer())
  const { deps, log } = opening.use(await openCertificateProcess(server))
  const mill = await newOwner(server, username, wanted)
  const opened = opening.move()
  return { server, deps, log, mill, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Answers every request with the failure `busy`. */
export const openClosedRenderer = async ({ deps }: Pick<OpenedMill, 'deps'>): Promise<PdfRenderer> => {
  const renderer = createPdfRenderer({ workers: 1, log: deps.log })
  await renderer[Symbol.asyncDispose]()
  return renderer
}
