import { command } from '../frame/command.ts'
import { connectApplication, correctionOptions } from './correction-options.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

export const revoke = command({
  args: ['identity'],
  options: {
    since: {
      value: '<time>',
      about: 'certificates recorded from then on are not to be trusted; default now',
    },
    ...correctionOptions,
  },
  description: `Revokes the key of an identity, for example because it was stolen. It can no longer sign, and the ledger says that certificates
recorded since <time> are not to be trusted; earlier ones stay valid. It cannot be undone.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal revoke 01a1fd83-0cf3-7aca-bf41-5a675b056c15 --mode live --since 2026-11-17T00:00:00.000Z --reason "Stolen"',
  ],
  async run({ args: [id = ''], values: { mode, reason, since, ...values }, environment }) {
    const client = await connectApplication(values, environment)
    const done = await client.revokeIdentity({ query: { mode }, params: { id }, body: { reason, since } })
    return { result: done, text: `The identity ${id} is revoked since ${done.revokedSince}\n` }
  },
})
