import type { Config } from '../config.ts'

const ofThisMachine = ['localhost', '127.0.0.0/8', '::1/128']
const localHosts = ['localhost', '127.0.0.1', '::1', '[::1]']

/** Whether people try the service on their own machine, and others cannot reach it. */
const isForThisMachine = ({ host, publicUrl, trustProxy, databaseUrl }: Config): boolean =>
  localHosts.includes(host) &&
  (publicUrl === undefined || localHosts.includes(new URL(publicUrl).hostname)) &&
  trustProxy.length === 0 &&
  databaseUrl === undefined

/** The private addresses that webhooks may call, and a warning if nobody named them. */
export const webhookTargets = (
  config: Config,
): { readonly allow: readonly string[]; readonly warning?: string } => {
  if (config.webhookAllow !== undefined) return { allow: config.webhookAllow }
  if (!isForThisMachine(config)) return { allow: [] }
  return {
    allow: ofThisMachine,
    warning:
      'webhooks may call this machine, because only this machine reaches the service; MILLSEAL_WEBHOOK_ALLOW=none refuses that',
  }
}
