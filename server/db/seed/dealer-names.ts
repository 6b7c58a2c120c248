export const givenNames =
  'Aaron Alicia Andre Angela Anita Antonio Arjun Becky Ben Brandon Brenda Brian Bruce Bryan Carla Carlos Cathy Chad Charlene Chris Cindy Clay Cody Colleen Craig Curtis Damon Darnell Deepa Denise Derek Devon Don Doug Duane Eddie Eduardo Elaine Eric Erin Ernesto Evan Felicia Frank Gabriel Gary Gina Gloria Gordon Hannah Harold Hector Heidi Hugo Ivan Jackie Jamal Janet Jasmine Javier Jeff Jerome Jesse Joanna Joe Jordan Julia Justin Kara Keisha Ken Kim Kirk Kyle Lamar Lance Laura Leah Leon Lori Lucas Manny Marcia Maria Mark Martin Maya Megan Mei Miguel Mike Mohammed Monica Nadia Nate Nicole Nina Noah Omar Oscar Pam Pat Pedro Phil Rachel Rafael Ramon Randy Regina Rich Rita Rob Rosa Ross Roy Russell Ruth Sam Sandra Scott Sergio Shane Shawn Sheila Simone Steve Sunil Tamara Tara Terry Tina Todd Tony Travis Tyrone Vanessa Vic Victor Wayne Wendy Will Xavier Yolanda Zach'.split(
    ' ',
  )

export const familyNames =
  'Abbott Acosta Aguilar Ahmed Alvarez Anders Bailey Baker Barnett Bauer Becker Bennett Bishop Blake Booker Bowen Brandt Briggs Caldwell Carver Castro Chambers Chavez Chen Clayton Coleman Contreras Cooper Cortez Cross Cruz Dalton Daniels Dawson Delgado Diaz Dixon Donovan Drake Duarte Duncan Ellis Espinoza Farrell Fields Figueroa Fischer Fleming Flores Foster Fuller Gallagher Garza Gentry Gibbs Gomez Grady Griffin Guerra Haas Hale Hanley Hardin Harmon Hayes Hoffman Holt Hsu Huang Hubbard Iverson Jacobs Jensen Joshi Kaplan Keller Kemp Khan Kim Kline Kowalski Kramer Lambert Larsen Le Lopez Lowery Maddox Maloney Marquez Massey McBride McKenna Medina Mercer Meyer Mills Molina Moreno Morris Nash Nelson Nguyen Nolan Novak Ochoa Olsen Ortiz Osborne Palmer Parra Patel Payne Pena Pham Pruitt Quinn Ramirez Reese Reyes Rhodes Rinaldi Rivera Rojas Romano Rossi Rowe Salazar Santos Schultz Sharma Shaw Silva Singh Sloan Soto Stark Sullivan Tate Thorne Tran Trujillo Tucker Valdez Vargas Vega Vogel Walsh Warner Weber Whitaker Wilkins Wolfe Yates Young Zamora Ziegler'.split(
    ' ',
  )

export const houseNames = [
  '{family} Auto Sales',
  '{family} Motors',
  '{family} Auto Group',
  '{family} & Sons Auto',
  '{family} Wholesale',
  '{family} Brothers Motors',
  '{city} Auto Exchange',
  '{city} Wholesale Cars',
  '{city} Fleet Sales',
  '{city} Motor Co',
  '{word} Auto Wholesale',
  '{word} Motors',
  '{word} Auto Brokers',
  '{word} Pre-Owned',
  '{word} Remarketing',
  '{word} Truck & Auto',
] as const

export const houseWords =
  'Anchor Apex Arrowhead Bedrock Bluebonnet Bridgeview Capital Cedar Compass Copper Cornerstone Crossroads Delta Eastside Evergreen Frontier Gateway Granite Harbor Heartland Highline Interstate Ironwood Keystone Liberty Lonestar Magnolia Meridian Midtown Northgate Oakridge Overland Patriot Pinnacle Pioneer Piedmont Redline Ridgeline Riverside Rockford Sierra Silverline Southport Stateline Summit Sunbelt Tidewater Trailhead Tristar Twin-City Valley Westgate'.split(
    ' ',
  )

export const cities: readonly (readonly [city: string, state: string, areaCode: string])[] = [
  ['Dallas', 'TX', '214'], ['Houston', 'TX', '713'], ['San Antonio', 'TX', '210'], ['Austin', 'TX', '512'], ['Lubbock', 'TX', '806'],
  ['Tulsa', 'OK', '918'], ['Oklahoma City', 'OK', '405'], ['Little Rock', 'AR', '501'], ['Shreveport', 'LA', '318'], ['New Orleans', 'LA', '504'],
  ['Jackson', 'MS', '601'], ['Birmingham', 'AL', '205'], ['Huntsville', 'AL', '256'], ['Atlanta', 'GA', '404'], ['Savannah', 'GA', '912'],
  ['Jacksonville', 'FL', '904'], ['Orlando', 'FL', '407'], ['Tampa', 'FL', '813'], ['Miami', 'FL', '305'], ['Charlotte', 'NC', '704'],
  ['Raleigh', 'NC', '919'], ['Greenville', 'SC', '864'], ['Nashville', 'TN', '615'], ['Memphis', 'TN', '901'], ['Knoxville', 'TN', '865'],
  ['Louisville', 'KY', '502'], ['Lexington', 'KY', '859'], ['Richmond', 'VA', '804'], ['Norfolk', 'VA', '757'], ['Baltimore', 'MD', '410'],
  ['Pittsburgh', 'PA', '412'], ['Philadelphia', 'PA', '215'], ['Allentown', 'PA', '610'], ['Newark', 'NJ', '973'], ['Albany', 'NY', '518'],
  ['Buffalo', 'NY', '716'], ['Syracuse', 'NY', '315'], ['Hartford', 'CT', '860'], ['Worcester', 'MA', '508'], ['Manchester', 'NH', '603'],
  ['Columbus', 'OH', '614'], ['Cleveland', 'OH', '216'], ['Cincinnati', 'OH', '513'], ['Detroit', 'MI', '313'], ['Grand Rapids', 'MI', '616'],
  ['Indianapolis', 'IN', '317'], ['Fort Wayne', 'IN', '260'], ['Chicago', 'IL', '312'], ['Peoria', 'IL', '309'], ['Milwaukee', 'WI', '414'],
  ['Madison', 'WI', '608'], ['Minneapolis', 'MN', '612'], ['Duluth', 'MN', '218'], ['Des Moines', 'IA', '515'], ['St. Louis', 'MO', '314'],
  ['Kansas City', 'MO', '816'], ['Springfield', 'MO', '417'], ['Omaha', 'NE', '402'], ['Wichita', 'KS', '316'], ['Sioux Falls', 'SD', '605'],
  ['Fargo', 'ND', '701'], ['Billings', 'MT', '406'], ['Denver', 'CO', '303'], ['Colorado Springs', 'CO', '719'], ['Salt Lake City', 'UT', '801'],
  ['Boise', 'ID', '208'], ['Spokane', 'WA', '509'], ['Seattle', 'WA', '206'], ['Portland', 'OR', '503'], ['Sacramento', 'CA', '916'],
  ['Fresno', 'CA', '559'], ['Riverside', 'CA', '951'], ['San Diego', 'CA', '619'], ['Los Angeles', 'CA', '213'], ['Phoenix', 'AZ', '602'],
  ['Tucson', 'AZ', '520'], ['Las Vegas', 'NV', '702'], ['Reno', 'NV', '775'], ['Albuquerque', 'NM', '505'], ['El Paso', 'TX', '915'],
  ['Toronto', 'ON', '416'], ['Ottawa', 'ON', '613'], ['London', 'ON', '519'], ['Vancouver', 'BC', '604'], ['Kelowna', 'BC', '250'],
  ['Calgary', 'AB', '403'], ['Edmonton', 'AB', '780'], ['Saskatoon', 'SK', '306'], ['Winnipeg', 'MB', '204'], ['Montreal', 'QC', '514'],
  ['Halifax', 'NS', '902'], ['Moncton', 'NB', '506'],
] // oxfmt-ignore
