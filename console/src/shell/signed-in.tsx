import { useTexts } from '../texts/catalog.ts'

export const SignedIn = () => {
  const t = useTexts('shell')
  return (
    <main className="alone">
      <h1>{t.signedIn}</h1>
      <p>{t.signedInText}</p>
    </main>
  )
}
