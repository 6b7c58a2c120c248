import t from 'tap'
import { fileLink } from '#server/features/posting/sheets/sheet-links.ts'

const google = 'https://docs.google.com/spreadsheets/d'
const drive = 'https://drive.google.com/uc?export=download&id'

const links: readonly (readonly [link: string, file: string])[] = [
  [`${google}/1aB-c_D/edit`, `${google}/1aB-c_D/export?format=csv`],
  [`${google}/1aB-c_D/edit?usp=sharing`, `${google}/1aB-c_D/export?format=csv`],
  [`${google}/1aB-c_D/edit#gid=0`, `${google}/1aB-c_D/export?format=csv&gid=0`],
  [`${google}/1aB-c_D/edit?gid=77#gid=77`, `${google}/1aB-c_D/export?format=csv&gid=77`],
  [`${google}/1aB-c_D`, `${google}/1aB-c_D/export?format=csv`],
  [`${google}/1aB-c_D/htmlview?gid=5`, `${google}/1aB-c_D/export?format=csv&gid=5`],
  [`${google}/1aB-c_D/edit?resourcekey=0-x`, `${google}/1aB-c_D/export?format=csv&resourcekey=0-x`],
  ['http://docs.google.com/spreadsheets/d/1aB/edit', `${google}/1aB/export?format=csv`],
  ['https://docs.google.com/spreadsheets/u/0/d/1aB/edit#gid=9', `${google}/1aB/export?format=csv&gid=9`],
  ['https://docs.google.com/a/dealer.com/spreadsheets/d/1aB/edit#gid=9', `${google}/1aB/export?format=csv&gid=9`],
  ['https://docs.google.com/spreadsheets/a/dealer.com/d/1aB/edit', `${google}/1aB/export?format=csv`],
  [`${google}/e/2PACX-1v/pubhtml`, `${google}/e/2PACX-1v/pub?output=csv`],
  [`${google}/e/2PACX-1v/pubhtml?gid=3&single=true`, `${google}/e/2PACX-1v/pub?output=csv&gid=3&single=true`],
  [`${google}/e/2PACX-1v/pubhtml?gid=3`, `${google}/e/2PACX-1v/pub?output=csv&gid=3&single=true`],
  [`${google}/e/2PACX-1v/pubhtml#gid=3`, `${google}/e/2PACX-1v/pub?output=csv&gid=3&single=true`],
  [`${google}/e/2PACX-1v/pub?output=xlsx`, `${google}/e/2PACX-1v/pub?output=xlsx`],
  ['https://docs.google.com/spreadsheets/u/1/d/e/2PACX-1v/pubhtml', `${google}/e/2PACX-1v/pub?output=csv`],
  ['https://drive.google.com/file/d/1aB-c/view?usp=sharing', `${drive}=1aB-c`],
  ['https://drive.google.com/file/u/0/d/1aB-c/view', `${drive}=1aB-c`],
  ['https://drive.google.com/a/dealer.com/file/d/1aB-c/edit', `${drive}=1aB-c`],
  ['https://drive.google.com/open?id=1aB-c', `${drive}=1aB-c`],
  ['https://drive.google.com/file/d/1aB/view?resourcekey=0-x', `${drive}=1aB&resourcekey=0-x`],
  ['https://www.dropbox.com/s/abc/list.csv?dl=0', 'https://www.dropbox.com/s/abc/list.csv?dl=1'],
  ['http://dropbox.com/s/abc/list.csv', 'https://dropbox.com/s/abc/list.csv?dl=1'],
  [
    'https://www.dropbox.com/scl/fi/abc/list.xlsx?rlkey=k&st=s&dl=0',
    'https://www.dropbox.com/scl/fi/abc/list.xlsx?rlkey=k&st=s&dl=1',
  ],
  ['https://1drv.ms/x/s!Abc?e=xyz', 'https://1drv.ms/x/s!Abc?e=xyz&download=1'],
  [
    'https://onedrive.live.com/view.aspx?resid=A!1&authkey=!k',
    'https://onedrive.live.com/download?resid=A!1&authkey=!k',
  ],
  ['https://onedrive.live.com/embed?resid=A!1', 'https://onedrive.live.com/download?resid=A!1'],
  [
    'https://dealer.sharepoint.com/:x:/s/sales/Abc?e=xyz',
    'https://dealer.sharepoint.com/:x:/s/sales/Abc?e=xyz&download=1',
  ],
  [' https://dealer.example/list.csv ', 'https://dealer.example/list.csv'],
  ['http://dealer.example/list.csv?gid=1#a', 'http://dealer.example/list.csv?gid=1#a'],
  ['https://docs.google.com/document/d/1aB/edit', 'https://docs.google.com/document/d/1aB/edit'],
  [
    'https://docs.google.com.evil.example/spreadsheets/d/1aB',
    'https://docs.google.com.evil.example/spreadsheets/d/1aB',
  ],
  [
    'https://docs.google.com/spreadsheets/d/1aB/gviz/tq?tqx=out:csv&sheet=Trucks',
    'https://docs.google.com/spreadsheets/d/1aB/gviz/tq?tqx=out:csv&sheet=Trucks',
  ],
  ['list.csv', 'list.csv'],
  ['docs.google.com/spreadsheets/d/1aB/edit', `${google}/1aB/export?format=csv`],
  ['www.dropbox.com/s/abc/list.csv?dl=0', 'https://www.dropbox.com/s/abc/list.csv?dl=1'],
  ['1drv.ms/x/s!Abc', 'https://1drv.ms/x/s!Abc?download=1'],
  [`<${google}/1aB/edit>`, `${google}/1aB/export?format=csv`],
  [`Our list: ${google}/1aB/edit#gid=3`, `${google}/1aB/export?format=csv&gid=3`],
  [`"${google}/1aB/edit"`, `${google}/1aB/export?format=csv`],
  [`https://www.google.com/url?q=${google}/1aB/edit&sa=D`, `${google}/1aB/export?format=csv`],
  [`${google}/1aB/edit?gid=1#gid=2`, `${google}/1aB/export?format=csv&gid=2`],
  [`${google}/e/2PACX-1v/pub?output=html`, `${google}/e/2PACX-1v/pub?output=csv`],
  [`${google}/e/2PACX-1v/pub?output=pdf`, `${google}/e/2PACX-1v/pub?output=csv`],
  [`${google}/e/2PACX-1v/pub?output=tsv`, `${google}/e/2PACX-1v/pub?output=tsv`],
  [`${google}/1aB/gviz/tq?tqx=out:html&gid=3`, `${google}/1aB/gviz/tq?tqx=out:csv&gid=3`],
  ['https://docs.google.com/spreadsheet/ccc?key=0AbC#gid=3', `${google}/0AbC/export?format=csv&gid=3`],
  ['https://spreadsheets.google.com/ccc?key=0AbC', `${google}/0AbC/export?format=csv`],
  ['https://docs.google.com/file/d/1aB/edit', `${drive}=1aB`],
  ['https://docs.google.com/uc?id=1aB&export=download', `${drive}=1aB`],
  ['https://docs.google.com/open?id=1aB', `${drive}=1aB`],
  ['https://onedrive.live.com/?id=A!1&cid=A', 'https://onedrive.live.com/download?id=A!1&cid=A&resid=A!1'],
  [
    'https://d.sharepoint.com/:x:/r/sites/s/_layouts/15/Doc.aspx?sourcedoc={ab-c}&file=a.xlsx&action=default',
    'https://d.sharepoint.com/sites/s/_layouts/15/download.aspx?UniqueId=ab-c',
  ],
  ['https://d.sharepoint.com/sites/s/a.xlsx?web=1', 'https://d.sharepoint.com/sites/s/a.xlsx?download=1'],
]

t.test('turns links that people copy into links to the file', (t) => {
  for (const [link, file] of links) t.equal(decodeURIComponent(fileLink(link)), file, link)
  t.end()
})
