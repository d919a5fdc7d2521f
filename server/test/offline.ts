import { createHash } from 'node:crypto'
import type { Certificate, Identity, Mode, ProofBundle } from '@millseal/contract'
import { type JsonValue, portablePrimitives, readPolicy, verifyBundle } from '@millseal/proof'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from './certificates.ts'
import { endedNotarization } from './signers.ts'
import type { TestServer } from './test-server.ts'

type Report = ReturnType<typeof verifyBundle>
export type CheckedFile = { readonly kind: 'json' | 'pdf'; readonly hash: string }

/** A verifier who trusts the logs of this server and no other. */
export const openVerifier = async (
  server: TestServer,
): Promise<(file: CheckedFile, bundle: ProofBundle | JsonValue) => Report> => {
  const logs = await Promise.all(
    ['test', 'live'].map(async (mode) =>
      (await (await fetch(`${server.url}/ledger/${mode}/vkey`)).text()).trim(),
    ),
  )
  const answers = new Map<string, boolean>()
  // The portable code, asked once for the same signature.
  const primitives: typeof portablePrimitives = {
    ...portablePrimitives,
    verifyEd25519(check) {
      const key = createHash('sha256')
        .update(check.publicKey)
        .update(check.signature)
        .update(check.message)
        .digest('hex')
      const answer = answers.get(key) ?? portablePrimitives.verifyEd25519(check)
      answers.set(key, answer)
      return answer
    },
  }
  const policy = readPolicy({ logs }, primitives)
  return (file, bundle) =>
    verifyBundle(
      {
        file,
        bundle: bundle as unknown as JsonValue,
        policy,
        now: new Date(server.clock.now()),
      },
      primitives,
    )
}

type Notarizing = {
  readonly company: string
  readonly identity: Pick<Identity, 'id'>
  readonly mode?: Mode
  readonly certificate?: object
}

/** Another certificate on the ledger, and its text. */
export const notarizeSample = async (
  client: Client,
  { company, identity, mode = 'test', certificate = sampleCertificate() }: Notarizing,
): Promise<Certificate & { readonly text: string }> => {
  const text = JSON.stringify(certificate)
  const { jobId } = await client.notarizeCertificate({
    company,
    query: { mode, identity: identity.id },
    document: new Blob([text], { type: 'application/json' }),
  })
  return { ...(await endedNotarization(client, { company, jobId })), text }
}

/** An identity that everybody can see. */
export const publishIdentity = (
  client: Client,
  { company, identity, mode = 'test' }: Omit<Notarizing, 'certificate'>,
): Promise<Identity> =>
  client.notarizeIdentity({ company, query: { mode }, params: { identityId: identity.id }, body: {} })
