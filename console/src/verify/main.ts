import { MillsealVerify } from './element.ts'

// A page may have the scripts of two services.
if (customElements.get('millseal-verify') === undefined)
  customElements.define('millseal-verify', MillsealVerify)
