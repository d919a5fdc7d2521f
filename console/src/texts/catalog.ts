import { useSyncExternalStore } from 'react'
import { type Area, isLanguage, type Language, languages, loadArea, type Texts } from './languages.ts'

/** The loaded texts, in the language of the person. */
const loaded = new Map<string, Texts[Area]>()
const listeners = new Set<() => void>()
const wanted = new Set<Area>()
const storageName = 'millseal.language'

const preferred = (): Language => {
  const stored = localStorage.getItem(storageName)
  const candidates = [stored, ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return candidates.find(isLanguage) ?? 'en'
}

let language = preferred()
document.documentElement.lang = language

export const currentLanguage = (): Language => language

const load = async (area: Area, into: Language): Promise<void> => {
  const key = `${into}/${area}`
  if (!loaded.has(key)) loaded.set(key, await loadArea(into, area))
}

/** Loads areas before a screen that needs them is drawn. */
export const loadTexts = async (...areas: readonly Area[]): Promise<void> => {
  for (const area of areas) wanted.add(area)
  await Promise.all(areas.map((area) => load(area, language)))
}

export const changeLanguage = async (next: Language): Promise<void> => {
  await Promise.all([...wanted].map((area) => load(area, next)))
  language = next
  localStorage.setItem(storageName, next)
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage)

/** The texts of an area. Its screen must have loaded it. */
export const useTexts = <A extends Area>(area: A): Texts[A] => {
  const texts = loaded.get(`${useLanguage()}/${area}`)
  if (texts === undefined) throw new Error(`The route of this screen does not load the texts "${area}"`)
  return texts as Texts[A]
}

export { languages }
