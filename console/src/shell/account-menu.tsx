import { useState } from 'react'
import { Button, Menu, MenuItem, MenuSection, MenuTrigger, Header, Popover } from 'react-aria-components'
import { api } from '../api/client.ts'
import { changeLanguage, languages, useLanguage, useTexts } from '../texts/catalog.ts'
import { isLanguage } from '../texts/languages.ts'
import { useHere } from './here.ts'
import { applyTheme, currentTheme, themes, type Theme } from './theme.ts'

const signOut = async (): Promise<void> => {
  await api.logout()
  location.assign('/')
}

/** Language, appearance, and the way to sign out. */
export const AccountMenu = () => {
  const t = useTexts('shell')
  const language = useLanguage()
  const { session } = useHere()
  const [theme, setTheme] = useState(currentTheme)
  const chooseTheme = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <MenuTrigger>
      <Button className="account">
        <span>{session.me.username}</span> <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="popover">
        <Menu>
          <MenuSection
            selectionMode="single"
            selectedKeys={[language]}
            onSelectionChange={(keys) => {
              const [next] = keys
              if (isLanguage(next)) void changeLanguage(next)
            }}
          >
            <Header>{t.language}</Header>
            {Object.entries(languages).map(([id, name]) => (
              <MenuItem key={id} id={id}>
                {name}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            selectionMode="single"
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const next = themes.find((each) => each === [...keys][0])
              if (next !== undefined) chooseTheme(next)
            }}
          >
            <Header>{t.theme}</Header>
            {themes.map((each) => (
              <MenuItem key={each} id={each}>
                {t.themes[each]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuItem onAction={() => void signOut()}>{t.signOut}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
