import { type Principal, principalName } from '../../http/principal.ts'

/** Who causes an entry of the audit log: a principal by name, or `job` for the worker. */
export type Actor = { readonly actor: string; readonly ipAddress?: string }

export type Caller = { readonly principal: Principal; readonly client: { readonly ip: string } }

export const actorOf = ({ principal, client }: Caller): Actor => ({
  actor: principalName(principal),
  ipAddress: client.ip,
})
