/** Real postal codes of each `City, ST`. */
const codes: Readonly<Record<string, string>> = {
  'Dallas, TX': '75201 75220 75229', 'Houston, TX': '77002 77040 77092', 'San Antonio, TX': '78205 78216 78230',
  'Austin, TX': '78701 78745 78758', 'Lubbock, TX': '79401 79412 79424', 'El Paso, TX': '79901 79905 79925',
  'Amarillo, TX': '79101 79106 79109', 'Tulsa, OK': '74103 74112 74145', 'Oklahoma City, OK': '73102 73112 73129',
  'Little Rock, AR': '72201 72204 72209', 'Shreveport, LA': '71101 71105 71106', 'New Orleans, LA': '70112 70119 70125',
  'Baton Rouge, LA': '70801 70806 70815', 'Jackson, MS': '39201 39206 39211', 'Birmingham, AL': '35203 35205 35233',
  'Huntsville, AL': '35801 35805 35816', 'Mobile, AL': '36602 36606 36609', 'Atlanta, GA': '30303 30310 30318',
  'Savannah, GA': '31401 31405 31406', 'Jacksonville, FL': '32202 32216 32244', 'Orlando, FL': '32801 32808 32839',
  'Tampa, FL': '33602 33610 33614', 'Miami, FL': '33125 33126 33142', 'Charlotte, NC': '28202 28205 28212',
  'Raleigh, NC': '27601 27604 27610', 'Greenville, SC': '29601 29605 29607', 'Nashville, TN': '37203 37211 37217',
  'Memphis, TN': '38103 38116 38118', 'Knoxville, TN': '37902 37912 37918', 'Louisville, KY': '40202 40218 40219',
  'Lexington, KY': '40502 40505 40509', 'Richmond, VA': '23219 23220 23230', 'Norfolk, VA': '23502 23504 23513',
  'Baltimore, MD': '21202 21215 21224', 'Pittsburgh, PA': '15201 15212 15222', 'Philadelphia, PA': '19103 19124 19136',
  'Allentown, PA': '18101 18102 18104', 'Newark, NJ': '07102 07105 07114', 'Albany, NY': '12205 12206 12207',
  'Buffalo, NY': '14202 14206 14216', 'Syracuse, NY': '13202 13204 13208', 'Hartford, CT': '06103 06106 06114',
  'Worcester, MA': '01602 01604 01608', 'Manchester, NH': '03101 03103 03104', 'Columbus, OH': '43204 43215 43229',
  'Cleveland, OH': '44113 44114 44135', 'Cincinnati, OH': '45202 45225 45237', 'Toledo, OH': '43604 43607 43615',
  'Detroit, MI': '48201 48210 48227', 'Grand Rapids, MI': '49503 49504 49507', 'Indianapolis, IN': '46201 46218 46241',
  'Fort Wayne, IN': '46802 46805 46808', 'Chicago, IL': '60607 60618 60632', 'Peoria, IL': '61602 61604 61614',
  'Milwaukee, WI': '53202 53207 53215', 'Madison, WI': '53703 53704 53713', 'Minneapolis, MN': '55401 55411 55414',
  'Duluth, MN': '55802 55806 55811', 'Des Moines, IA': '50309 50313 50317', 'St. Louis, MO': '63103 63110 63116',
  'Kansas City, MO': '64108 64111 64130', 'Springfield, MO': '65802 65803 65807', 'Omaha, NE': '68102 68107 68127',
  'Wichita, KS': '67202 67209 67211', 'Sioux Falls, SD': '57103 57104 57106', 'Fargo, ND': '58102 58103 58104',
  'Billings, MT': '59101 59102 59105', 'Denver, CO': '80202 80216 80223', 'Aurora, CO': '80010 80011 80012',
  'Colorado Springs, CO': '80903 80907 80909', 'Salt Lake City, UT': '84101 84104 84116', 'Boise, ID': '83702 83704 83705',
  'Spokane, WA': '99201 99202 99207', 'Seattle, WA': '98104 98108 98134', 'Portland, OR': '97202 97209 97220',
  'Sacramento, CA': '95811 95815 95825', 'Fresno, CA': '93702 93721 93722', 'Riverside, CA': '92501 92503 92507',
  'San Diego, CA': '92101 92110 92123', 'Los Angeles, CA': '90012 90015 90021', 'Phoenix, AZ': '85004 85009 85017',
  'Tucson, AZ': '85701 85705 85713', 'Las Vegas, NV': '89101 89102 89104', 'Reno, NV': '89501 89502 89512',
  'Albuquerque, NM': '87102 87107 87110', 'Toronto, ON': 'M5H-2N2', 'Ottawa, ON': 'K1P-1J1', 'London, ON': 'N6B-1Z2',
  'Vancouver, BC': 'V5Y-1V4', 'Kelowna, BC': 'V1Y-1J4', 'Calgary, AB': 'T2P-2M5', 'Edmonton, AB': 'T5J-2R7',
  'Saskatoon, SK': 'S7K-0J5', 'Winnipeg, MB': 'R3B-1B9', 'Montreal, QC': 'H2Y-1C6', 'Longueuil, QC': 'J3Y-9G4',
  'Halifax, NS': 'B3J-3A5', 'Moncton, NB': 'E1C-1E8',
} // oxfmt-ignore

export function postalCodesOf(city: string, state: string): readonly string[] {
  const found = codes[`${city}, ${state}`]
  if (found === undefined) throw new Error(`no postal code for ${city}, ${state}`)
  return found.split(' ').map((code) => code.replace('-', ' '))
}
