import { MillsealVerify } from './element.ts'

// The script of two services may be on one page.
if (customElements.get('millseal-verify') === undefined)
  customElements.define('millseal-verify', MillsealVerify)
