import { limits } from '@millseal/contract/limits'
import { list, perDay, setting } from './setting-values.ts'

export const webhookSettings = {
  webhookAllow: setting({
    name: 'MILLSEAL_WEBHOOK_ALLOW',
    about:
      'Private addresses that webhooks may call: networks (10.0.0.0/8), hosts (erp.local) or hosts with a port, separated by commas; none for none. Without it, this machine if only this machine reaches the service.',
    fallback: '',
    read: (value): readonly string[] | undefined => {
      if (value === '') return undefined
      if (value === 'none') return []
      const entries = list(value)
      if (!entries.every((entry) => /^([\da-f.:]+\/\d{1,3}|[^\s/:@]+(:\d{1,5})?)$/i.test(entry)))
        throw new Error('networks like 10.0.0.0/8 and hosts like erp.local:8443, separated by commas')
      return entries
    },
  }),
  deliveriesPerDay: setting({
    name: 'MILLSEAL_DELIVERIES_PER_DAY',
    about:
      'Maximum number of webhook deliveries that a verified company can cause per day (UTC), without automatic retries. 0 means no limit.',
    fallback: String(limits.deliveriesPerDay.verified),
    read: perDay,
  }),
  unverifiedDeliveriesPerDay: setting({
    name: 'MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY',
    about: 'The same for a company that is not verified. 0 means no limit.',
    fallback: String(limits.deliveriesPerDay.unverified),
    read: perDay,
  }),
}
