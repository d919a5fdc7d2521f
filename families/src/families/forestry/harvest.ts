import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import { headed, joinText, paragraphs, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { Block } from '../../model/document.ts'

/** One row per plot, then the coordinates of each as text: longitude and latitude, as submitted. */
export const harvestBlocks = (mapping: Mapping, locations: readonly JsonValue[]): readonly Block[] => {
  const features = locations.flatMap((location) => listAt(location, 'features'))
  const about = (name: string) => features.map((feature) => textAt(feature, 'properties', name))
  const names = about('Name').map((name, index) => name ?? String(index + 1))
  return [
    ...table([
      { label: mapping.label('PlotName'), isName: true, cells: names },
      { label: mapping.label('ProducerName'), cells: about('ProducerName') },
      { label: mapping.label('ProducerCountry'), cells: about('ProducerCountry') },
      { label: mapping.label('ProductionPlace'), cells: about('ProductionPlace') },
      { label: mapping.label('Area'), unit: 'ha', cells: about('Area') },
      {
        label: mapping.label('Geometry'),
        cells: features.map((feature) => geometryName(mapping, at(feature, 'geometry'))),
      },
    ]),
    ...headed(
      mapping.label('Coordinates'),
      paragraphs(
        features.flatMap((feature, index) => {
          const text = geometryText(at(feature, 'geometry'))
          return text === undefined ? [] : [`${names[index] ?? ''}: ${text}`]
        }),
      ),
    ),
  ]
}

const geometryName = (mapping: Mapping, geometry: JsonValue | undefined): string | undefined => {
  const type = textAt(geometry, 'type')
  return type === undefined ? undefined : mapping.label(type).join(' / ')
}

/** A point is `11.07 49.45`; the points of a ring are separated by commas, rings and geometries by semicolons. */
const geometryText = (geometry: JsonValue | undefined): string | undefined => {
  const parts = listAt(geometry, 'geometries').map(geometryText)
  const coordinates = at(geometry, 'coordinates') ?? at(geometry, 'Coordinates')
  return joinText([coordinates === undefined ? undefined : coordinatesText(coordinates), ...parts], '; ')
}

const coordinatesText = (coordinates: JsonValue): string => {
  const list = Array.isArray(coordinates) ? coordinates : [coordinates]
  if (list.every((one) => !Array.isArray(one))) return list.map((one) => textAt(one) ?? '–').join(' ')
  const isRing = list.every((one) => Array.isArray(one) && one.every((number) => !Array.isArray(number)))
  return list.map(coordinatesText).join(isRing ? ', ' : '; ')
}
