import { useEffect } from 'react'
import { useTexts } from '../texts/catalog.ts'

/** The other windows are notified already. This one is seen only if the browser does not let it close itself. */
export const SignedIn = () => {
  const t = useTexts('shell')
  useEffect(() => window.close(), [])
  return (
    <main className="alone">
      <h1>{t.signedIn}</h1>
      <p>{t.signedInText}</p>
    </main>
  )
}
