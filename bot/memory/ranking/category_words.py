"""Kinds of things and what belongs to them, in English, Russian and German: "pets" are answered by "our cat".

Everyday words, written down by hand; names (of films, cities, people) are no words and are told by their capitals.
A line is the names of a kind, a colon, and its instances, single words in any form; lines of one name add up.
A word of one language that means another kind in another ("Kind", "Rock", "Art", "fast") is left out.
"""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = """
pet animal: dog puppy pup cat kitten kitty turtle tortoise hamster rabbit bunny parrot budgie bird fish goldfish
pet animal: guinea horse pony snake lizard gecko ferret rat mouse chicken goat sheep cow pig duck hedgehog canary
animal wildlife creature: lion tiger bear wolf fox deer elephant monkey whale dolphin shark eagle owl squirrel frog
animal wildlife creature: bee butterfly otter seal penguin giraffe kangaroo swan crocodile insect spider
food dish meal cuisine snack: pizza pasta salad soup sandwich burger steak chicken fish rice noodle sushi curry taco
food dish meal cuisine snack: egg bread cheese stew pancake waffle casserole roast barbecue lasagna dumpling tofu bean
food dish meal cuisine snack: fruit vegetable salmon shrimp sausage ham bacon yogurt cereal porridge chips nuts
food dish meal cuisine snack: popcorn
dessert sweet treat baking recipe: cake cookie pie tart brownie cupcake muffin pudding chocolate cream icecream candy
dessert sweet treat baking recipe: pastry donut cheesecake biscuit frosting sorbet mousse caramel gelato
recipe: soup salad sauce pasta bread roast curry stew dish cook bake
fruit: apple banana orange strawberry blueberry raspberry grape mango peach pear cherry lemon lime melon pineapple
fruit: coconut kiwi plum berry apricot fig
vegetable: carrot potato tomato onion pepper spinach broccoli cabbage lettuce cucumber corn pea bean mushroom zucchini
drink beverage: coffee tea water juice beer wine milk soda smoothie cocktail lemonade cocoa whiskey cider latte
drink beverage: espresso
sport: football soccer basketball baseball tennis golf hockey volleyball cricket rugby swim run cycle ski snowboard
sport: surf boxing karate judo climb wrestling badminton skate row marathon race gymnastics fencing archery squash
exercise workout training: yoga run jog gym pilates swim weights cardio stretch cycle walk squat treadmill aerobics
hobby interest activity pastime: paint draw read write cook bake garden hike camp fish photography knit sew pottery
hobby interest activity pastime: dance sing run swim cycle bike yoga chess gaming ski climb surf travel crafts guitar
hobby interest activity pastime: piano woodworking birdwatching museum concert park beach theatre cinema puzzle skate
hobby interest activity pastime: volunteer
instrument: guitar piano violin drum flute clarinet cello saxophone trumpet bass ukulele harp keyboard banjo accordion
music genre: rock jazz pop classical blues country metal rap hiphop folk reggae techno punk soul indie opera
art craft artwork: painting drawing sculpture pottery sketch mural portrait watercolor ceramics photography collage
art craft artwork: bowl abstract canvas clay mosaic pot cup knitting embroidery origami calligraphy
writing: book novel poem poetry screenplay script story blog article essay journal diary letter memoir lyrics play
writing: post
book series: novel read author chapter trilogy fantasy fiction memoir biography library
movie film show: watch trilogy comedy drama thriller horror documentary romance cinema sequel series actor
game: chess poker monopoly scrabble playstation xbox nintendo tournament console card puzzle rpg strategy multiplayer
device gadget electronics tech equipment: phone laptop computer tablet camera headphone keyboard monitor mouse console
device gadget electronics tech equipment: pc playstation xbox nintendo speaker tv printer watch microphone drone
device gadget electronics tech equipment: router
vehicle transport: car bike bicycle bus train plane boat truck motorcycle scooter van taxi subway tram ship ferry
event: party wedding parade conference concert festival meeting workshop competition fair show exhibition race
event: fundraiser ceremony celebration birthday graduation seminar speech talk reunion tournament gala rally webinar
event: funeral match
class course workshop lesson: pottery yoga dance cook paint photography language art music writing sign enroll teach
holiday celebration: christmas easter halloween thanksgiving birthday anniversary hanukkah diwali ramadan
family relative: mother mom mum father dad sister brother son daughter grandma grandmother grandpa grandfather aunt
family relative: uncle cousin niece nephew husband wife partner kid child baby twin parent
child kid: son daughter baby boy girl toddler twin brother sister teenager
job career profession occupation work: teacher nurse doctor engineer lawyer waiter banker programmer developer
job career profession occupation work: designer chef manager accountant counselor writer artist musician actor driver
job career profession occupation work: scientist clerk consultant intern hire company office therapist
degree study education subject major field: psychology biology math mathematics physics chemistry history economics
degree study education subject major field: law medicine engineering literature counseling art business college
degree study education subject major field: university
business company venture: store shop studio startup restaurant cafe bakery agency firm brand boutique
place location spot destination: beach park museum mountain lake forest river city island cafe restaurant zoo library
place location spot destination: mall trail garden castle desert waterfall
country: usa america england france germany italy spain russia china japan india canada mexico brazil sweden norway
country: greece turkey portugal ireland scotland australia thailand korea poland ukraine egypt kenya finland austria
city town: london paris berlin rome madrid moscow tokyo chicago boston seattle barcelona amsterdam vienna lisbon
city town: prague dublin toronto sydney
trip vacation travel holiday: beach camp roadtrip flight hotel visit cruise tour hike island abroad
color colour: red blue green yellow black white purple pink orange brown gray grey gold silver turquoise beige
flower plant tree: rose tulip sunflower lily daisy orchid lavender cactus fern oak pine maple herb basil succulent
clothes clothing outfit garment: shirt dress skirt jeans pants jacket coat sweater hoodie suit hat shoe boot sneaker
clothes clothing outfit garment: sock scarf blouse
jewelry accessory: necklace ring bracelet earring watch pendant brooch
item gift present thing object souvenir: necklace ring book mug bowl shoe toy doll painting camera figurine photo card
item gift present thing object souvenir: flower watch plush shirt candle perfume
furniture: couch sofa chair table desk bed shelf lamp rug wardrobe bookcase
health problem illness condition disease injury issue: flu cold cancer diabetes asthma allergy migraine headache fever
health problem illness condition disease injury issue: pain surgery broken sprain infection anxiety depression
health problem illness condition disease injury issue: insomnia
allergy allergic: dairy lactose nut peanut gluten pollen cat dog fur egg shellfish dust bee wheat soy penicillin
medicine treatment therapy: pill antibiotic aspirin vaccine surgery counseling ibuprofen insulin vitamin
emotion feeling feel: happy sad angry anxious nervous excited proud scared lonely grateful frustrated relieved
emotion feeling feel: thankful overwhelmed worried jealous guilty disappointed
skill ability talent: code program cook paint write dance speak swim drive teach tip learn
language: english french german spanish italian russian chinese japanese arabic portuguese korean hindi
religion faith belief: christian muslim jewish buddhist hindu church mosque temple synagogue prayer god bible atheist
symbol: flag rainbow cross heart eagle butterfly star necklace ring tattoo dove flower
weather: rain snow sun storm wind cloud fog thunder hail heat hurricane
goal dream plan ambition: want hope become someday aim save start open
problem challenge setback difficulty obstacle struggle: lost broke fail crash stuck hard tough accident reject injury
problem challenge setback difficulty obstacle struggle: delay quit fire debt
achievement accomplishment award success milestone: won win medal trophy prize graduate promotion publish finish
achievement accomplishment award success milestone: record scholarship certificate
advice tip recommendation suggestion: recommend suggest try should advise
relationship status: single married divorced widow boyfriend girlfriend husband wife partner engaged dating breakup
partner: husband wife boyfriend girlfriend date fiance
personality trait quality character: kind caring thoughtful honest brave funny shy generous patient creative stubborn
personality trait quality character: strong authentic ambitious curious calm loyal
routine habit: morning night daily everyday week usual always
destress relax stress: yoga run meditate bath walk read music massage nap swim exercise
cause charity volunteer organization: shelter homeless donate fundraiser foodbank hospital orphanage environment
cause charity volunteer organization: mentor
house home room: kitchen bedroom bathroom garden balcony basement apartment living garage
tool: hammer saw drill screwdriver wrench software app
app software platform website medium: instagram facebook youtube twitter tiktok whatsapp google excel zoom discord
app software platform website medium: blog
nature outdoors: hike camp mountain forest lake beach trail river sunset waterfall park
improvement change upgrade: new install renovate paint replace buy
community group club team: member support join meet activist gather church league
fear afraid: spider height dark snake fly
toy: doll lego teddy puzzle ball plush train
tradition: yearly annual always christmas camp family dinner
restaurant cafe bar: italian chinese mexican indian sushi pizzeria bistro menu dinner brunch steakhouse
store shop market: supermarket mall grocery bookstore bakery pharmacy boutique ikea walmart amazon
hotel accommodation: hostel airbnb resort motel cottage cabin apartment villa
airline: delta united lufthansa ryanair jetblue easyjet emirates
service subscription streaming: netflix spotify hulu disney youtube amazon magazine newspaper
ingredient spice: salt pepper garlic ginger cinnamon basil oregano butter flour sugar oil onion cumin paprika vanilla
flavor flavour: vanilla chocolate strawberry caramel mint lemon coconut hazelnut coffee pistachio
bag luggage: backpack suitcase handbag purse tote
car brand make: toyota honda ford bmw tesla audi mercedes volkswagen nissan hyundai volvo subaru
brand: nike adidas apple samsung sony gucci zara puma
material fabric: wood metal cotton wool silk leather glass plastic linen clay stone
season: spring summer autumn fall winter
breed: labrador retriever poodle terrier beagle husky bulldog shepherd collie dachshund siamese persian
bird: eagle owl parrot robin finch sparrow crow pigeon hummingbird duck swan
cosmetic skincare product: shampoo lotion cream sunscreen serum conditioner soap lipstick perfume
programming framework: python java javascript rust react django ruby
appliance: fridge oven dishwasher microwave toaster blender vacuum washer dryer kettle mixer
crop garden: tomato basil herb flower lettuce rose bean carrot pepper squash
discount deal: percent coupon sale code voucher
bill expense payment: rent insurance mortgage electricity internet loan tax fee
"""

_RUSSIAN: Final = """
питомец питомцы животное зверь: собака пёс щенок щенки кот кошка котёнок котята хомяк кролик попугай рыбка черепаха
питомец питомцы животное зверь: лошадь крыса птица
еда блюдо кухня ужин обед завтрак: суп борщ салат паста пицца пельмени каша рис рыба мясо курица сыр хлеб яйцо котлета
еда блюдо кухня рецепт: пирог блины торт плов шашлык запеканка картошка суши бутерброд
десерт сладости: торт пирожное печенье мороженое шоколад конфета пирог варенье пудинг
фрукт ягода: яблоко груша банан апельсин виноград клубника малина вишня слива персик лимон арбуз
овощ: морковь картофель помидор огурец лук перец капуста свёкла тыква кабачок
напиток: кофе чай вода сок пиво вино молоко лимонад какао квас коктейль
спорт вид: футбол хоккей теннис баскетбол волейбол плавание бег лыжи сноуборд бокс карате велосипед йога шахматы
спорт вид: гимнастика
хобби увлечение занятие: рисовать читать писать готовить печь вязать шить танцевать петь бегать плавать фотография
хобби увлечение занятие: рыбалка поход сад гитара пианино шахматы игра лепить керамика путешествие музей лыжи
инструмент: гитара пианино скрипка флейта барабан виолончель саксофон труба баян
книга: роман читать автор фантастика повесть рассказ стихи серия
фильм кино сериал: смотреть комедия драма триллер ужасы мультфильм режиссёр актёр
игра: шахматы карты приставка покер лото домино турнир
профессия работа должность: учитель врач медсестра инженер юрист программист дизайнер повар менеджер бухгалтер
профессия работа должность: водитель художник музыкант актёр продавец учёный компания офис
мероприятие событие праздник: свадьба концерт фестиваль конференция выставка встреча день рождения вечеринка
мероприятие событие праздник: соревнование
родственник семья: мама папа мать отец брат сестра сын дочь бабушка дедушка тётя дядя муж жена племянник
ребёнок дети: сын дочь мальчик девочка малыш близнецы
место: пляж парк музей горы озеро лес река город остров кафе ресторан
страна: россия америка англия франция германия италия испания китай япония индия турция греция грузия польша украина
город: москва петербург лондон париж берлин рим казань киев прага вена
язык: английский французский немецкий испанский итальянский русский китайский японский
болезнь проблема здоровье: грипп простуда диабет астма аллергия мигрень температура боль операция перелом бессонница
аллергия: орехи арахис молоко лактоза глютен пыльца шерсть яйца пыль
цвет: красный синий зелёный жёлтый чёрный белый розовый серый коричневый голубой фиолетовый
подарок вещь: книга кольцо часы цветы шарф кружка игрушка картина украшение
одежда: рубашка платье юбка джинсы куртка пальто свитер костюм шапка ботинки
транспорт машина: автобус поезд самолёт велосипед мотоцикл метро трамвай корабль
"""

_GERMAN: Final = """
haustier tier: hund katze kater welpe kätzchen hamster kaninchen papagei vogel schildkröte pferd meerschweinchen
essen gericht speise mahlzeit: pizza nudeln suppe salat reis fisch hähnchen käse brot kartoffeln schnitzel auflauf
essen gericht speise mahlzeit: eintopf
nachtisch dessert süßigkeit: kuchen torte keks schokolade pudding eis pfannkuchen waffel
obst: apfel birne banane erdbeere himbeere kirsche traube pflaume zitrone
gemüse: karotte möhre kartoffel tomate zwiebel paprika gurke spinat kohl
getränk: kaffee tee wasser saft bier wein milch limonade kakao
sportart sport: fußball tennis handball schwimmen laufen radfahren klettern turnen boxen wandern skifahren
hobby freizeit beschäftigung: malen zeichnen lesen schreiben kochen backen wandern angeln stricken nähen töpfern
hobby freizeit beschäftigung: tanzen singen joggen schwimmen garten klavier gitarre schach reisen fotografieren
instrument: gitarre klavier geige schlagzeug flöte cello saxophon trompete
bücher buch: roman lesen autor krimi gedicht
filme: schauen komödie krimi serie kino schauspieler
spiel spiele: schach karten würfel konsole turnier
beruf arbeit stelle: lehrer lehrerin arzt ärztin ingenieur anwalt krankenschwester koch verkäufer programmierer
veranstaltung: hochzeit konzert festival konferenz ausstellung treffen geburtstag feier wettbewerb
verwandte familie: mutter vater mama papa bruder schwester sohn tochter oma opa großmutter großvater tante onkel
verwandte familie: ehemann
kinder: sohn tochter junge mädchen baby zwillinge
ort orte: strand park museum berg wald fluss stadt insel
land länder: deutschland österreich schweiz frankreich italien spanien england japan griechenland türkei
sprache: englisch französisch deutsch spanisch italienisch russisch
krankheit gesundheit: grippe erkältung asthma allergie migräne fieber schmerzen operation
farbe: rot blau grün gelb schwarz weiß lila rosa braun grau
geschenk: buch ring uhr blumen schal tasse spielzeug bild kette
kleidung: hemd kleid hose jacke mantel pullover anzug mütze schuhe
"""

LINES: Final[tuple[str, ...]] = tuple(filter(None, f"{_ENGLISH}{_RUSSIAN}{_GERMAN}".splitlines()))

WHERE: Final = ("place", "country", "city", "место", "страна", "город", "ort", "land")
"""Kinds that "where" asks for, unless the question names one."""

WHO: Final = ("family", "partner", "семья", "familie")
"""Kinds that "who" asks for."""
