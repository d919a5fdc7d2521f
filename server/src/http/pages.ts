import type { FastifyInstance } from 'fastify'
import { registerConsolePages } from './console/console-pages.ts'
import type { AccountPages } from './pages/accounts.ts'
import { registerApiReference } from './pages/api-reference.ts'
import { registerConfirmPage } from './pages/confirm-page.ts'
import { registerGuide } from './pages/guide.ts'
import { type HomePage, registerHomePage } from './pages/home-page.ts'
import { registerMailPages } from './pages/mail-pages.ts'
import { registerInvitationPage } from './pages/invitation-page.ts'
import { registerPasswordPage } from './pages/password-page.ts'
import { registerUnlockPage } from './pages/unlock-page.ts'
import { registerRegisterPage } from './pages/register-page.ts'
import { registerSiteFiles } from './pages/site-files.ts'
import { registerVerifyPage, type VerifyPageDependencies } from './verify-page/verify-page.ts'

export type Pages = HomePage & AccountPages & VerifyPageDependencies

/** Registers what people open in a browser, except the pages of the services. */
export const registerPages = (server: FastifyInstance, pages: Pages): void => {
  registerHomePage(server, pages)
  registerRegisterPage(server, pages)
  registerMailPages(server, pages)
  registerConfirmPage(server, pages)
  registerPasswordPage(server, pages)
  registerUnlockPage(server, pages)
  registerInvitationPage(server, pages)
  registerVerifyPage(server, pages)
  registerConsolePages(server)
  registerApiReference(server)
  registerGuide(server)
  registerSiteFiles(server)
}
