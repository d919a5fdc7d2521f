import { offlineVerifyPage } from '@millseal/server'
import { command } from '../frame/command.ts'
import { readPolicyFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'

const options = {
  policy: { value: '<file>', about: 'a trust policy to save in the page, which then uses no other' },
} as const

export const verifyPage = command({
  options,
  description: `Prints the page that verifies certificates without a network, as one HTML file.

Open the file in any browser, and choose a certificate and its proof bundle. With --policy, the page trusts that policy
and no other; without it, choose your trust policy there. The page cannot connect to any server.`,
  examples: ['millseal verify-page --policy policy.json > verify.html'],
  async run({ values: { policy: file }, json, terminal }) {
    const html = file === undefined ? offlineVerifyPage() : await pageWith(file)
    if (json) terminal.printJson({ html })
    else terminal.printFile(html)
    return undefined
  },
})

/** Refuses a policy that the page could not use. */
const pageWith = async (file: string): Promise<string> => {
  const policy = await readPolicyFile(file)
  readTrust(policy)
  return offlineVerifyPage({ policy: JSON.stringify(policy) })
}
