"""Well-known places by their English names: one mention of these is a place, whatever stands around it."""

from __future__ import annotations

from typing import Final

_NAMES: Final = """
    england|scotland|ireland|wales|britain|great britain|united kingdom|europe|asia|africa|america|australia|austria
    |belgium|bulgaria|denmark|egypt|finland|france|germany|greece|holland|hungary|iceland|italy|luxembourg|malta|norway
    |poland|portugal|prussia|romania|russia|serbia|spain|sweden|switzerland|turkey|ukraine|india|china|japan|burma
    |ceylon|persia|iran|iraq|israel|palestine|syria|arabia|saudi arabia|yemen|kuwait|qatar|jordan|lebanon|afghanistan
    |pakistan|bangladesh|indonesia|malaysia|philippines|thailand|vietnam|korea|north korea|south korea|singapore
    |hong kong|new zealand|canada|mexico|brazil|chile|peru|argentina|colombia|cuba|jamaica|bermuda|algeria|tunisia
    |libya|morocco|sudan|somalia|kenya|uganda|tanzania|ethiopia|nigeria|south africa|liberia|united states
    |alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana
    |iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana
    |nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon
    |pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|west virginia|wisconsin
    |wyoming|queensland|new south wales|tasmania|ontario|quebec|nova scotia|newfoundland|british columbia
    |bedfordshire|berkshire|buckinghamshire|cambridgeshire|cheshire|cornwall|cumberland|derbyshire|devon|devonshire
    |dorset|dorsetshire|durham|essex|gloucestershire|hampshire|herefordshire|hertfordshire|huntingdonshire|kent
    |lancashire|leicestershire|lincolnshire|middlesex|norfolk|northamptonshire|northumberland|nottinghamshire
    |oxfordshire|rutland|shropshire|somerset|somersetshire|staffordshire|suffolk|surrey|sussex|warwickshire
    |westmoreland|wiltshire|worcestershire|yorkshire|glamorganshire|london|manchester|liverpool|birmingham|leeds
    |sheffield|bristol|bath|brighton|dover|plymouth|portsmouth|southampton|oxford|cambridge|york|edinburgh|glasgow
    |aberdeen|dundee|dublin|belfast|cork|cardiff|swansea|hull|newcastle|sunderland|leicester|nottingham|coventry
    |norwich|exeter|winchester|canterbury|wolverhampton|bolton|oldham|preston|paris|lyons|marseilles|bordeaux|calais
    |boulogne|rouen|nice|brussels|antwerp|amsterdam|rotterdam|the hague|berlin|hamburg|bremen|munich|dresden|leipzig
    |frankfort|frankfurt|cologne|vienna|prague|budapest|rome|florence|venice|milan|turin|genoa|naples|madrid|barcelona
    |seville|lisbon|geneva|zurich|basle|berne|copenhagen|stockholm|christiania|oslo|moscow|warsaw|constantinople
    |istanbul|athens|cairo|alexandria|jerusalem|damascus|beirut|baghdad|tehran|kabul|kandahar|islamabad|karachi|delhi
    |bombay|calcutta|madras|peking|beijing|shanghai|canton|tokyo|yokohama|sydney|melbourne|brisbane|adelaide|perth
    |auckland|wellington|washington dc|boston|philadelphia|baltimore|pittsburgh|pittsburg|chicago|cleveland|cincinnati
    |detroit|buffalo|milwaukee|st louis|new orleans|san francisco|los angeles|seattle|brooklyn|manhattan|hoboken
    |jersey city|newark|albany|rochester|hartford|providence|portland|st petersburg|montreal|toronto|quebec city
    |thames|severn|mersey|tyne|humber|seine|rhine|danube|rhone|nile|atlantic|pacific|mediterranean|baltic|north sea
    |alps|pyrenees|himalayas
"""
PLACES: Final = frozenset(name.strip() for name in _NAMES.replace("\n", " ").split("|"))
"""The names in small letters; a place that is a common surname or word as well is left out where it would mislead."""
