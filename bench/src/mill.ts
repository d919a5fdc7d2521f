import { freshVatId } from '../../server/test/vat-ids.ts'
import type { SignedInServer } from './row.ts'

/** A company that can notarize in test mode and is known for it, a new one each time. */
export type Mill = {
  readonly url: string
  readonly pid: number
  readonly headers: Record<string, string>
  readonly identity: string
}

export const openMill = async ({ url, pid, token }: SignedInServer): Promise<Mill> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object, more: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { id: string }).id
  }
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const company = await post('/companies', { name: 'Measured Mill', vatId: freshVatId(), address })
  const wallet = await post('/wallets?mode=test', {}, { company })
  const identity = await post('/identities?mode=test', { coinType: 822, account: 0, wallet }, { company })
  await post(`/identities/${identity}/notarize?mode=test`, {}, { company })
  return { url, pid, headers: { ...headers, company }, identity }
}

export const notarize = async ({ url, headers, identity }: Mill, body: string): Promise<void> => {
  const path = `/api/certificates/notarize?mode=test&identity=${identity}`
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(`notarize: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
