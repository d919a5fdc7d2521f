/** Cyrillic and Greek letters that look like Latin ones, small or as capitals. */
const alike = 'авеікмнорстухѕјьαβεζηικμνορτυχ'
const foreign = /[^\P{LC}\p{Script=Latin}]/u
const seemsLatin = new RegExp(String.raw`\p{Script=Latin}|^[\P{LC}${alike}]*$`, 'iu')

/** Whether a reader may take a letter for one of another alphabet. Scripts without capitals look like none of them. */
export const mixesAlphabets = (name: string): boolean => foreign.test(name) && seemsLatin.test(name)
