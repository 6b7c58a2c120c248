import t from 'tap'
import { describeFind } from '#shared/find-labels.ts'
import { withWords } from '#client/features/find/phrase/add-server-words.ts'
import { type Phrase, readPhrase } from '#client/features/find/phrase/parse.ts'
import { densest } from '#client/features/find/find-range.tsx'
import { checkedOf, toggled } from '#client/features/find/make-model-tree.tsx'
import { findKeys, findRadii, findSearch, parseFind } from '#shared/find-query.ts'
import type { FindWords } from '#shared/schemas/find.ts'

/** `rest` contains the words that were not understood. */
const table: readonly (readonly [typed: string, search: string, rest?: string])[] = [
  ['2019-2021 f150 under 40k dallas', 'mmt=Ford~F-150&year=2019-2021&miles=-40000&near=75201'],
  [
    '2019-2021 F-150 under 40k miles within 200 miles of Dallas under $30k',
    'mmt=Ford~F-150&year=2019-2021&price=-30000&miles=-40000&near=75201&within=200',
  ],
  ['suv under 30k miles and under $20k in atlanta', 'price=-20000&miles=-30000&near=30303&body=suv'],
  [
    'hybrid camry le 2018-2022 < 50k mi < $22k',
    'mmt=Toyota~Camry~LE&year=2018-2022&price=-22000&miles=-50000&fuel=hybrid',
  ],
  [
    '2022 silverado 1500 high country 4wd <45k miles near 75201 within 250 miles with photos from my connections',
    'mmt=Chevrolet~Silverado 1500~High Country&year=2022-2022&miles=-45000&near=75201&within=250&drive=4wd&seller=connected&photos=1',
  ],
  ['f150', 'mmt=Ford~F-150'],
  ['F 150', 'mmt=Ford~F-150'],
  ['f-150 xlt', 'mmt=Ford~F-150~XLT'],
  ['ford f150 lariat or king ranch', 'mmt=Ford~F-150~Lariat,Ford~F-150~King Ranch'],
  ['2020 ford f-150 xlt supercrew', 'mmt=Ford~F-150~XLT&year=2020-2020', 'supercrew'],
  ['f150 or silverado', 'mmt=Ford~F-150,Chevrolet~Silverado 1500'],
  ['chevy silverado 2500 diesel', 'mmt=Chevrolet~Silverado 2500HD&fuel=diesel'],
  ['gmc sierra denali', 'mmt=GMC~Sierra 1500~Denali'],
  ['dodge ram 2500 cummins', 'mmt=Ram~2500&fuel=diesel'],
  ['ram 1500 or 2500', 'mmt=Ram~1500,Ram~2500'],
  ['2500', '', '2500'],
  ['1500 laramie', '', '1500 laramie'],
  ['toyota or honda', 'mmt=Toyota,Honda'],
  ['toyota, honda, nissan', 'mmt=Toyota,Honda,Nissan'],
  ['toyota camry, honda civic', 'mmt=Toyota~Camry,Honda~Civic'],
  ['toyota camry and corolla', 'mmt=Toyota~Camry,Toyota~Corolla'],
  ['camrys', 'mmt=Toyota~Camry'],
  ['rav 4', 'mmt=Toyota~RAV4'],
  ['RAV4 XLE Premium', 'mmt=Toyota~RAV4~XLE Premium'],
  ['4runner trd pro', 'mmt=Toyota~4Runner~TRD Pro'],
  ['honda crv 2017+', 'mmt=Honda~CR-V&year=2017-'],
  ['civic si', 'mmt=Honda~Civic~Si'],
  ['mazda 3', 'mmt=Mazda~3'],
  ['mazda3', 'mmt=Mazda~3'],
  ['bmw 328i', 'mmt=BMW~3 Series'],
  ['x5', 'mmt=BMW~X5'],
  ['mercedes c300', 'mmt=Mercedes-Benz~C-Class'],
  ['vw jetta', 'mmt=Volkswagen~Jetta'],
  ['land rover range rover sport', 'mmt=Land Rover~Range Rover Sport'],
  ['grand cherokee', 'mmt=Jeep~Grand Cherokee'],
  ['jeep grand cherokee limited', 'mmt=Jeep~Grand Cherokee~Limited'],
  ['tesla model 3 long range', 'mmt=Tesla~Model 3~Long Range'],
  ['town & country', 'mmt=Chrysler~Town & Country'],
  ['lexus rx', 'mmt=Lexus~RX'],
  ['ford explorer xlt, limited', 'mmt=Ford~Explorer~XLT,Ford~Explorer~Limited'],
  ['2019', 'year=2019-2019'],
  ['2019 to 2021', 'year=2019-2021'],
  ['between 2018 and 2020', 'year=2018-2020'],
  ['2021-2019', 'year=2019-2021'],
  ['2018-21 tahoe', 'mmt=Chevrolet~Tahoe&year=2018-2021'],
  ['’18-’20 tahoe', 'mmt=Chevrolet~Tahoe&year=2018-2020'],
  ['18-20 tahoe', 'mmt=Chevrolet~Tahoe&year=2018-2020'],
  ['2018 or newer', 'year=2018-'],
  ['newer than 2018', 'year=2019-'],
  ['since 2020', 'year=2020-'],
  ['before 2015', 'year=-2014'],
  ['pre 2015 camry', 'mmt=Toyota~Camry&year=-2014'],
  ['pre-2015', 'year=-2014'],
  ['2015 and older', 'year=-2015'],
  ['2019 2020 2021 accord', 'mmt=Honda~Accord&year=2019-2021'],
  ['under 2020', '', 'under 2020'],
  ['$30k', 'price=-30000'],
  ['up to $30,000', 'price=-30000'],
  ['no more than 25 grand', 'price=-25000'],
  ['$20k-$30k', 'price=20000-30000'],
  ['20-30k dollars', 'price=20000-30000'],
  ['20 to 30 grand', 'price=20000-30000'],
  ['over $15,500', 'price=15500-'],
  ['price under 20000', 'price=-20000'],
  ['$18.5k max', 'price=-18500'],
  ['for under 12k', 'price=-12000'],
  ['camry under $9,999.99', 'mmt=Toyota~Camry&price=-10000'],
  ['$8,500.50 to $9,900.75', 'price=8500-9901'],
  ['camry under $100,000,000', 'mmt=Toyota~Camry&price=-99999999'],
  ['camry 2019 $20k', 'mmt=Toyota~Camry&year=2019-2019&price=-20000'],
  ['2019 $ 20,000 f-150', 'mmt=Ford~F-150&year=2019-2019&price=-20000'],
  ['Ram 1500 $25k-$30k', 'mmt=Ram~1500&price=25000-30000'],
  ['30000$ 2019 camry', 'mmt=Toyota~Camry&year=2019-2019&price=-30000'],
  ['under 40k', 'miles=-40000'],
  ['less than 60,000 mi', 'miles=-60000'],
  ['20k–40k miles', 'miles=20000-40000'],
  ['between 20,000 and 40,000 miles', 'miles=20000-40000'],
  ['no less than 100k miles', 'miles=100000-'],
  ['at least 50k', 'miles=50000-'],
  ['40k miles', 'miles=-40000'],
  ['45k mi or less', 'miles=-45000'],
  ['under 60000 km', '', 'under 60000 km'],
  ['40k', '', '40000'],
  ['30000', '', '30000'],
  ['lowest mileage camry', 'mmt=Toyota~Camry&sort=mileage'],
  ['74112', 'near=74112'],
  ['within 100 miles of 74112', 'near=74112&within=100'],
  ['100 mi from M5V 2T6', 'near=M5V 2T6&within=100'],
  ['within 50 of dallas', 'near=75201&within=50'],
  ['mazda 3 near dallas', 'mmt=Mazda~3&near=75201'],
  ['chrysler 300 from dallas', 'mmt=Chrysler~300&near=75201'],
  ['tesla model 3 near 74112', 'mmt=Tesla~Model 3&near=74112'],
  ['m5v', 'near=M5V'],
  ['camry near 75201-1234', 'mmt=Toyota~Camry&near=75201'],
  ['within 100 miles of 75201-1234', 'near=75201&within=100'],
  ['camry 12500-9500', 'mmt=Toyota~Camry', '12500-9500'],
  ['tulsa', 'near=74103'],
  ['Tulsa, Oklahoma', 'near=74103'],
  ['near tulsa within 150 miles', 'near=74103&within=150'],
  ['dallas 200 miles', 'near=75201&within=200'],
  ['st. louis, mo', 'near=63103'],
  ['portland, me', '', 'portland, me'],
  ['f150 near Springfield MA', 'mmt=Ford~F-150', 'near Springfield MA'],
  ['f150 in portland me', 'mmt=Ford~F-150', 'in portland me'],
  ['within 50 miles of springfield oh under $20k', 'price=-20000', 'within 50mi springfield oh'],
  ['F150 DALLAS OR HOUSTON', 'mmt=Ford~F-150&near=75201', 'HOUSTON'],
  ['trucks dallas in stock', 'near=75201&body=pickup', 'in stock'],
  ['springfield missouri', 'near=65802'],
  ['columbus oh', 'near=43215'],
  ['dallas colorado under 40k', 'mmt=Chevrolet~Colorado&miles=-40000&near=75201'],
  ['camry around 20k', 'mmt=Toyota~Camry', 'around 20000'],
  ['camry from 15k to 20k', 'mmt=Toyota~Camry', 'from 15000 20000'],
  ['truck under 40k within 200 miles of me', 'miles=-40000&body=pickup', 'within 200mi of me'],
  ['trucks near me', 'body=pickup', 'near me'],
  ['dallas or houston', 'near=75201', 'houston'],
  ['tacoma', 'mmt=Toyota~Tacoma'],
  ['near tacoma', 'near=98402'],
  ['tacoma, wa', 'near=98402'],
  ['tucson sel', 'mmt=Hyundai~Tucson~SEL'],
  ['tucson az', 'near=85701'],
  ['awd suv', 'body=suv&drive=awd'],
  ['4x4 pickup', 'body=pickup&drive=4wd'],
  ['electric or hybrid', 'fuel=hybrid,electric'],
  ['plug-in hybrid', 'fuel=plugin'],
  ['plug in hybrids', 'fuel=plugin'],
  ['mini van near chicago', 'near=60607&body=van'],
  ['convertible mustang', 'mmt=Ford~Mustang&body=convertible'],
  ['live auctions', 'sale=live'],
  ['upcoming auction', 'sale=coming'],
  ['fixed price', 'sale=fixed'],
  ['my connections', 'seller=connected'],
  ['rated 4.5 or better', 'rating=4.5'],
  ['posted today', 'posted=1'],
  ['this week with photos', 'posted=7&photos=1'],
  ['cheapest camry', 'mmt=Toyota~Camry&sort=cheapest'],
  ['nearest f150 near denver', 'mmt=Ford~F-150&near=80202&sort=nearest'],
  ['ending soon live auctions', 'sale=live&sort=ending'],
  ['f150 ending soon', 'mmt=Ford~F-150&sale=live&sort=ending'],
  ['nearest trucks', 'body=pickup', 'nearest'],
  ['clean title f150', 'mmt=Ford~F-150', 'clean title'],
  ['one owner no accidents', '', 'one owner no accidents'],
  ['1FTEW1EP8LFA21904', '', '1FTEW1EP8LFA21904'],
  ['find me a used car', ''],
  ['f150 no diesel', 'mmt=Ford~F-150', 'no diesel'],
  ['trucks not diesels or hybrids under $30k', 'price=-30000&body=pickup', 'not diesels or hybrids'],
  ['suv without awd', 'body=suv', 'without awd'],
  ['no trucks', '', 'no trucks'],
  ['no auctions', 'sale=fixed'],
  ['suv not ford or grand cherokee limited', 'body=suv', 'not ford grand cherokee limited'],
  ['trucks except f150 xlt, 4x4', 'body=pickup&drive=4wd', 'except f150 xlt'],
  ['no ford toyota camry', 'mmt=Toyota~Camry', 'no ford'],
  ['no accidents f150', 'mmt=Ford~F-150', 'no accidents'],
  ['camry not in dallas', 'mmt=Toyota~Camry', 'not in dallas'],
  ['camry not 2015-2017', 'mmt=Toyota~Camry', 'not 2015-2017'],
  ['camry 2018-2020 not 2019', 'mmt=Toyota~Camry&year=2018-2020', 'not 2019'],
]

const searchOf = ({ query }: Phrase): string => decodeURIComponent(findSearch(query)).replaceAll('+', ' ')

t.test('turns a phrase into exactly the filters it names', async (t) => {
  t.ok(table.length >= 100)
  for (const [typed, search, rest = ''] of table) {
    const phrase = readPhrase(typed)
    t.same({ search: searchOf(phrase), rest: phrase.rest }, { search, rest }, typed)
  }
})

const home = { code: '74112', city: 'Tulsa', region: 'OK' }

/** Phrases of a dealer in Tulsa. */
const homeTable: typeof table = [
  ['trucks near me', 'near=74112&within=100&body=pickup'],
  ['F-150 near me under 30k', 'mmt=Ford~F-150&miles=-30000&near=74112&within=100'],
  ['f150 under $30k NEAR ME', 'mmt=Ford~F-150&price=-30000&near=74112&within=100'],
  ['suv nearby', 'near=74112&within=100&body=suv'],
  ['close to me camry', 'mmt=Toyota~Camry&near=74112&within=100'],
  ['vans around here', 'near=74112&within=100&body=van'],
  ['trucks in my area', 'near=74112&within=100&body=pickup'],
  ['camry near our lot', 'mmt=Toyota~Camry&near=74112&within=100'],
  ['truck under 40k within 200 miles of me', 'miles=-40000&near=74112&within=200&body=pickup'],
  ['suv 50 mi from me', 'near=74112&within=50&body=suv'],
  ['within 75 of us', 'near=74112&within=75'],
  ['near me 150 miles', 'near=74112&within=150'],
  ['trucks near me under $20k within 250 miles', 'price=-20000&near=74112&within=250&body=pickup'],
  ['closest to me f150', 'mmt=Ford~F-150&near=74112&sort=nearest'],
  ['nearest f150 near me', 'mmt=Ford~F-150&near=74112&within=100&sort=nearest'],
  ['trucks, nearest first', 'near=74112&body=pickup&sort=nearest'],
  ['nearest trucks reno', 'near=89501&body=pickup&sort=nearest'],
  ['nearest trucks walla walla', 'body=pickup', 'nearest walla walla'],
  ['mazda 3 near me', 'mmt=Mazda~3&near=74112&within=100'],
  ['f 150 near me', 'mmt=Ford~F-150&near=74112&within=100'],
  ['camry near me 2019-2021 40k miles', 'mmt=Toyota~Camry&year=2019-2021&miles=-40000&near=74112&within=100'],
  ['trucks not near me', 'body=pickup', 'not near me'],
  ['trucks near dallas', 'near=75201&body=pickup'],
  ['trucks nearby dallas', 'near=75201&body=pickup', 'nearby'],
  ['trucks close by dallas', 'near=75201&body=pickup'],
  ['portland me', '', 'portland me'],
  ['find me a truck', 'body=pickup'],
]

t.test("searches around the dealer's own location", async (t) => {
  for (const [typed, search, rest = ''] of homeTable) {
    const phrase = readPhrase(typed, home)
    t.same([searchOf(phrase), phrase.rest, phrase.lacksHome], [search, rest, false], typed)
  }
  const { query, place } = readPhrase('trucks near me', home)
  t.equal(describeFind(query, place), 'pickup, within 100 mi of Tulsa, OK')
  t.ok(findRadii.some((radius) => radius === query.within))
})

t.test("leaves the dealer's own location as text if it is unknown", async (t) => {
  t.match(readPhrase('trucks near me', null), { query: { near: '' }, rest: 'near me', lacksHome: true })
  t.match(readPhrase('trucks near me', undefined), { rest: 'near me', lacksHome: false }, 'not fetched yet')
  t.match(readPhrase('nearest truck', null), { query: { sort: 'newest' }, rest: 'nearest', lacksHome: true })
  t.match(readPhrase('trucks near dallas', null), { query: { near: '75201' }, rest: '', lacksHome: false })
})

t.test('describes a whole search in one line', async (t) => {
  const says = (typed: string) => {
    const { query, place } = readPhrase(typed)
    return describeFind(query, place)
  }
  t.equal(says('2019-2021 f150 under 40k dallas'), 'Ford F-150, 2019 to 2021, under 40,000 mi, near Dallas, TX')
  t.equal(
    says('cheapest 4x4 trucks or suvs up to $30k, 20k-40k mi, within 50 miles of 74112, my connections, with photos'),
    'up to $30,000, 20,000 to 40,000 mi, pickup, SUV, 4WD, within 50 mi of 74112, my connections, has photos, lowest price first',
  )
})

const eachFilter = [
  ['', ''],
  ['as=cards', ''],
  ['mmt=Ford~F-150~XLT,Toyota', 'Ford F-150 XLT or Toyota'],
  ['mmt=Ford~-', 'Ford, no model stated'],
  ['year=2019-2021', '2019 to 2021'],
  ['year=2019-', '2019 or newer'],
  ['year=-2019', '2019 or older'],
  ['price=5000-', 'from $5,000'],
  ['price=-30000', 'up to $30,000'],
  ['miles=-40000', 'under 40,000 mi'],
  ['miles=20000-', 'over 20,000 mi'],
  ['year=none', 'no year stated'],
  ['price=-30000,none', 'up to $30,000 or no price stated'],
  ['miles=none&body=none', 'no mileage stated, no body stated'],
  ['near=74112', 'near 74112'],
  ['near=74112&within=300', 'within 300 mi of 74112'],
  ['body=pickup,none', 'pickup, no body stated'],
  ['drive=4wd,none', '4WD, no drivetrain stated'],
  ['fuel=plugin', 'plug-in hybrid'],
  ['sale=fixed,live,coming', 'fixed price, live auction, upcoming auction'],
  ['seller=connected', 'my connections'],
  ['rating=4.5', 'rated 4.5 or better'],
  ['posted=1', 'last 24 hours'],
  ['posted=7', 'last 7 days'],
  ['photos=1', 'has photos'],
  ['sort=year', 'newest year first'],
] as const

t.test('describes every filter differently', async (t) => {
  const words = eachFilter.map(([search]) => describeFind(parseFind(search)))
  t.same(
    words,
    eachFilter.map(([, wanted]) => wanted),
  )
  const named = new Set(eachFilter.flatMap(([search]) => [...new URLSearchParams(search).keys()]))
  t.same(
    findKeys.filter((key) => !named.has(key)),
    [],
  )
  t.equal(new Set(words).size, words.length - 1, 'sort order and layout are not filters')
})

t.test('fills in words only the server knows and leaves ambiguous words as text', async (t) => {
  const words: FindWords = {
    vehicles: [
      { words: 'zephyr', make: 'Mercury', model: 'Zephyr', trim: null },
      { words: 'sport', make: 'Honda', model: 'Accord', trim: 'Sport' },
      { words: 'comet', make: 'Mercury', model: 'Comet', trim: null },
      { words: 'comet', make: 'Saturn', model: 'Comet', trim: null },
    ],
    places: [
      { words: 'broken arrow', code: '74011', city: 'Broken Arrow', region: 'OK' },
      { words: 'nice', code: '95464', city: 'Nice', region: 'CA' },
      { words: 'springfield', code: '62701', city: 'Springfield', region: 'IL' },
    ],
    home: null,
  }
  const read = (typed: string) => {
    const phrase = withWords(readPhrase(typed), words)
    return [searchOf(phrase), phrase.place ?? '', phrase.rest]
  }
  t.same(read('zephyr near broken arrow'), ['mmt=Mercury~Zephyr&near=74011', 'Broken Arrow, OK', ''])
  t.same(read('tahoe springfield il'), ['mmt=Chevrolet~Tahoe&near=62701', 'Springfield, IL', ''])
  t.same(read('tahoe near springfield il'), ['mmt=Chevrolet~Tahoe&near=62701', 'Springfield, IL', ''])
  t.same(read('nice sport comet 2020'), ['year=2020-2020', '', 'nice sport comet'])
  t.same(read('f150 not in broken arrow'), ['mmt=Ford~F-150', '', 'not in broken arrow'])
  t.same(read('trucks not diesels near broken arrow'), ['near=74011&body=pickup', 'Broken Arrow, OK', 'not diesels'])
  t.same(read('trucks no zephyr'), ['body=pickup', '', 'no zephyr'])
  t.same(read('f150 dallas near nice'), ['mmt=Ford~F-150&near=75201', 'Dallas, TX', 'near nice'])
})

t.test('replaces a whole by its part and parts by their whole', async (t) => {
  const [ford, f150, xlt] = [
    { make: 'Ford' },
    { make: 'Ford', model: 'F-150' },
    { make: 'Ford', model: 'F-150', trim: 'XLT' },
  ]
  const chosen = (...words: Parameters<typeof toggled>[1][]) => words.reduce(toggled, [] as (typeof words)[number][])
  t.same(chosen(ford), [ford])
  t.same(chosen(ford, f150), [f150])
  t.same(chosen(xlt, f150), [f150])
  t.same(chosen(f150, xlt), [xlt])
  t.same(chosen(xlt, xlt), [])
  t.same(chosen(xlt, { make: 'Toyota' }, ford), [{ make: 'Toyota' }, ford])
  t.equal(checkedOf([{ make: 'ford', model: 'f150' }], f150), true, 'however it is spelled')
  t.equal(
    checkedOf([{ make: 'Ford', model: 'F-150 Lightning' }], f150),
    false,
    'the beginning of a name does not match',
  )
})

t.test('finds the fewest adjacent bars that hold half', async (t) => {
  t.same(densest([0, 0, 0]), undefined)
  t.same(densest([1, 5, 4, 0]), [1, 1])
  t.same(densest([3, 3, 3, 3]), [0, 1])
  t.same(densest([0, 0, 9]), [2, 2])
})
