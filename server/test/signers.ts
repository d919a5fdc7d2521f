import type { Certificate, Identity, Mode } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { eventually } from './eventually.ts'

/** The first identity of a new wallet of this company. */
export const newIdentity = async (
  client: Client,
  company: string,
  mode: Mode = 'test',
): Promise<Identity> => {
  const about = { company, query: { mode } }
  const { id: wallet } = await client.createWallet({ ...about, body: {} })
  return client.createIdentity({ ...about, body: { coinType: 822, account: 0, wallet } })
}

/** The certificate once its job has ended, one way or the other. */
export const endedNotarization = (
  client: Client,
  { company, jobId }: { readonly company: string; readonly jobId: string | undefined },
): Promise<Certificate> => {
  if (jobId === undefined) throw new Error('There is no job: it was on the ledger already')
  return eventually(
    async () => {
      const found = await client.readCertificate({ company, params: { id: jobId } })
      return (found.state === 'notarized' || found.state === 'failed') && found
    },
    { what: `the notarization ${jobId} ends`, everyMs: 25 },
  )
}
