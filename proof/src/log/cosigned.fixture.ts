/** Made with torchwood 0.10.0 of Filippo Valsorda, in Go, which also decided which cosigners satisfy a policy. */
export const cosigned = {
  text: `mill.example/ledger/live
700
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
millseal-time 2026-11-22T05:30:00.000Z
millseal-operator did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH
millseal-status 3 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
`,
  /** The seed of each private key is the SHA-256 of its name. */
  cosigners: [
    {
      name: 'inspection.example/w1',
      vkey: 'inspection.example/w1+c51fdafc+BHEv6rcgphmI2NF0nliSZXOA8g8HSVl8OBnY7NxyS00P',
      timeSeconds: 1795949092,
      line: '— inspection.example/w1 xR/a/AAAAABrDAIkcoxVj6x/7c2QoWZ2/Cr1XA3SlLEsNBi9WwSDzl8g5duI7LobI5vV3FCxl5fkOWnBEcoM9nuA0zwMMA+OcmiFDA==',
    },
    {
      name: 'association.example/w',
      vkey: 'association.example/w+b91445ad+BCGXVG7G9Q5hJNMp9Q84del2THtqgxUqHuoFTL8yg0Ij',
      timeSeconds: 1795949092,
      line: '— association.example/w uRRFrQAAAABrDAIkFJK2w1eVu4BHYKMNLxTq/pCaq6GSsbU3rnSDJPdPTzBmDyp1StkSQ9ARBk29OlESoi4l1EyuvUH1tIUOKv0HAQ==',
    },
    {
      name: 'university.example/log-witness',
      vkey: 'university.example/log-witness+9a9c068e+BPQpStyWmhTgnZwS1/B7ceLV9YjsjWBbw/lC3jjKgPsu',
      timeSeconds: 1795949092,
      line: '— university.example/log-witness mpwGjgAAAABrDAIkzDEwKAJhGkPisL5/MrxgNKITnos0lQhNEPVZ4tE4PqM2ZJnyBYXWqF00wRbXoCV5FBOjT+73B3fzZg7ZJeVgDg==',
    },
    {
      name: 'mill-b.example',
      vkey: 'mill-b.example+ae62f67f+BGApUWl+JNq3Una9Dq5758uyZ3fyz9Xzyc2bMbxqXL32',
      timeSeconds: 1795949092,
      line: '— mill-b.example rmL2fwAAAABrDAIk16m3wFksauMRXVWr+g/ei0toHp0HNH+aanSEvmaxvSonJsazpDmSJXaQ1TGNdLjcse+43nlKAxetk4SectzlBg==',
    },
  ],
} as const

const witnesses = `log mill.example/ledger/live+32299e5a+AZsfhHkc/HZjBFhU04netcqVRJ2HXydqg4QLBgqznPxx https://mill.example/ledger/live
${cosigned.cosigners.map(({ vkey }, at) => `witness w${at + 1} ${vkey}\n`).join('')}`

/**
 * `satisfied`: one digit for each set of cosigners; bit 0 of its position stands for the first. `1` if torchwood accepts a
 * checkpoint with the cosignatures of the set.
 */
export const judgedPolicies = [
  {
    text: 'log mill.example/ledger/live+32299e5a+AZsfhHkc/HZjBFhU04netcqVRJ2HXydqg4QLBgqznPxx\nquorum none\n',
    satisfied: '1111111111111111',
  },
  { text: `${witnesses}quorum w2\n`, satisfied: '0011001100110011' },
  { text: `${witnesses}group others 2 w1 w2 w3\nquorum others\n`, satisfied: '0001011100010111' },
  { text: `${witnesses}group all all w1 w2 w3 w4\nquorum all\n`, satisfied: '0000000000000001' },
  { text: `${witnesses}group one any w3 w4\nquorum one\n`, satisfied: '0000111111111111' },
  {
    text: `# two levels\n\n\t${witnesses}group X 2 w1 w2 w3\ngroup Y any w4\ngroup both all X Y\n  quorum\tboth \n`,
    satisfied: '0000000000010111',
  },
  {
    text: `${witnesses}group inner all w1 w2\ngroup outer 2 inner w3 w4\nquorum outer\n`,
    satisfied: '0000000100011111',
  },
] as const
