export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageName = 'millseal.theme'

export const currentTheme = (): Theme =>
  themes.find((theme) => theme === localStorage.getItem(storageName)) ?? 'system'

export const applyTheme = (theme: Theme): void => {
  localStorage.setItem(storageName, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
