import { offlineVerifyPage } from '@millseal/server'
import { command } from '../frame/command.ts'

export const verifyPage = command({
  description: `Prints the page that verifies certificates without a network, as one HTML file.

Open the file in any browser, and choose a certificate, its proof bundle and your trust policy. The file contains no key
and no address: it cannot connect to any server.`,
  examples: ['millseal verify-page > verify.html'],
  async run() {
    const text = offlineVerifyPage()
    return { result: { html: text }, text }
  },
})
