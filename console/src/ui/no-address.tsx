import { useTexts } from '../texts/catalog.ts'
import { Notice } from './problem.tsx'

/** Said before notarizing: afterwards, the address cannot be added to the certificate. */
export const NoAddress = () => <Notice kind="warn">{useTexts('findings').noAddress}</Notice>
