import type { FunctionComponent } from 'react'
import { useTexts } from '../texts/catalog.ts'
import { NeedsCompany } from '../ui/needs-company.tsx'
import { Screen as Frame } from '../ui/screen.tsx'
import { useHere } from './here.ts'

/** Tells somebody without a company what to do, and shows the screen to everybody else. */
export const ofCompany = (Screen: FunctionComponent): FunctionComponent => {
  const OfCompany = () => {
    const { screen, ...texts } = useTexts('shell').needsCompany
    const { membership } = useHere()
    if (membership !== undefined) return <Screen />
    return (
      <Frame title={screen}>
        <NeedsCompany {...texts} />
      </Frame>
    )
  }
  return OfCompany
}
